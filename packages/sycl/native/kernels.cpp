#include "kernels.hpp"

#include <cstddef>
#include <utility>

#include "kernels/convert_arguments.hpp"
#include "kernels/generated/convert_spirv.hpp"
#include "kernels/generated/convert_without_doubles_spirv.hpp"
#include "kernels/generated/strided_copy_spirv.hpp"
#include "kernels/launch.hpp"
#include "kernels/specialise.hpp"
#include "place.hpp"

namespace array_interface::sycl {

namespace {

constexpr int kDoubles = 6;  // the aspect fp64, as the C library counts

}  // namespace

void Kernels::Build(const Place& place) {
  std::lock_guard lock(mutex_);
  BuildLocked(place);
}

void Kernels::BuildLocked(const Place& place) {
  if (bundle_) return;
  const auto& build = dpctl_.KernelBundle_CreateFromSpirv;
  bundle_ = {dpctl_, build.Must(place.context.get(), place.reference.get(), strided_copy_spirv,
                                sizeof strided_copy_spirv, "")};
}

void Kernels::Launch(const Place& place, void* queue, const StridedCopy& copy) {
  // one launch at a time: the arguments of a native kernel object are part of its state
  std::lock_guard lock(mutex_);
  validate(copy);
  require_alignment(copy);
  const auto submit = [&](void* kernel, std::uint64_t count, auto& values, const auto& types) {
    auto arguments = values.dpctl_arguments();
    const std::size_t range[3] = {sycl_items(count), 1, 1};
    const EventReference event(
        dpctl_, dpctl_.Queue_SubmitRange.Must(kernel, queue, arguments.data(), types.data(),
                                              arguments.size(), range, 1, nullptr, 0));
  };
  if (copy.conversion) {
    void* kernel = GetConverter(place, *copy.conversion);
    static constexpr auto types = ConvertArguments::dpctl_types();
    for_each_launch(copy, [&](const KernelArguments& layout) {
      ConvertArguments values{layout, conversion_code(*copy.conversion)};
      submit(kernel, layout.count, values, types);
    });
    return;
  }
  BuildLocked(place);
  void* kernel = Get(copy.unit);
  static constexpr auto types = KernelArguments::dpctl_types();
  for_each_launch(copy,
                  [&](KernelArguments& values) { submit(kernel, values.count, values, types); });
}

void* Kernels::Get(std::uint32_t unit) {
  const auto found = kernels_.find(unit);
  if (found != kernels_.end()) return found->second.get();
  KernelReference kernel(dpctl_,
                         dpctl_.KernelBundle_GetKernel.Must(bundle_.get(), kernel_name(unit)));
  return kernels_.emplace(unit, std::move(kernel)).first->second.get();
}

void* Kernels::GetConverter(const Place& place, const Conversion& conversion) {
  const std::uint32_t code = conversion_code(conversion);
  const auto found = converters_.find(code);
  if (found != converters_.end()) return found->second.kernel.get();
  const bool wide = is_wide(conversion.from) || is_wide(conversion.to);
  if (wide && !dpctl_.Device_HasAspect(place.reference.get(), kDoubles)) {
    throw SyclError("ERR_DTYPE_UNSUPPORTED", "dtype",
                    "expected a device with 64-bit floats, got " + place.selector +
                        ", which has none; convert in host memory");
  }
  const auto words =
      wide ? specialise(convert_spirv, code) : specialise(convert_without_doubles_spirv, code);
  Converter made;
  made.bundle = {dpctl_, dpctl_.KernelBundle_CreateFromSpirv.Must(
                             place.context.get(), place.reference.get(), words.data(),
                             words.size() * sizeof words[0], "")};
  made.kernel = {dpctl_, dpctl_.KernelBundle_GetKernel.Must(made.bundle.get(), "convert")};
  return converters_.emplace(code, std::move(made)).first->second.kernel.get();
}

}  // namespace array_interface::sycl
