#include "kernels.hpp"

#include <utility>

#include "kernels/generated/strided_copy_spirv.hpp"
#include "kernels/launch.hpp"
#include "place.hpp"

namespace array_interface::sycl {

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
  BuildLocked(place);
  void* kernel = Get(copy.unit);
  static constexpr auto types = KernelArguments::dpctl_types();
  for_each_launch(copy, [&](KernelArguments& values) {
    auto arguments = values.dpctl_arguments();
    const std::size_t range[3] = {sycl_items(values.count), 1, 1};
    const EventReference event(
        dpctl_, dpctl_.Queue_SubmitRange.Must(kernel, queue, arguments.data(), types.data(),
                                              arguments.size(), range, 1, nullptr, 0));
  });
}

void* Kernels::Get(std::uint32_t unit) {
  const auto found = kernels_.find(unit);
  if (found != kernels_.end()) return found->second.get();
  KernelReference kernel(dpctl_,
                         dpctl_.KernelBundle_GetKernel.Must(bundle_.get(), kernel_name(unit)));
  return kernels_.emplace(unit, std::move(kernel)).first->second.get();
}

}  // namespace array_interface::sycl
