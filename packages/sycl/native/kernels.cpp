#include "kernels.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/convert_arguments.hpp"
#include "kernels/generated/tiled_copy_spirv.hpp"
#include "kernels/generated/tiled_copy_without_doubles_spirv.hpp"
#include "kernels/specialise.hpp"
#include "place.hpp"

namespace array_interface::sycl {

namespace {

constexpr int kDoubles = 6;  // the aspect fp64, as the C library counts

/// What moves 4 bytes from one dense row to another.
const TiledKernel& MostUsed() {
  static std::uint32_t number = 0;
  static const StridedCopy copy{&number, &number, 4, {16, 16}, {128, 4}, {128, 4}};
  static const TiledKernel kernel = tiled_parts(copy).front().kernel;
  return kernel;
}

bool IsWide(const TiledKernel& kernel) {
  return is_wide(static_cast<ElementType>(kernel.conversion & 0xff)) ||
         is_wide(static_cast<ElementType>(kernel.conversion >> 8 & 0xff));
}

bool Converts(const TiledKernel& kernel) {
  return (kernel.conversion & 0xff) != (kernel.conversion >> 8 & 0xff);
}

}  // namespace

void Kernels::Build(const Place& place) {
  std::lock_guard lock(mutex_);
  Get(place, MostUsed());
}

void Kernels::Launch(const Place& place, void* queue, const StridedCopy& copy) {
  // one launch at a time: the arguments of a native kernel object are part of its state
  std::lock_guard lock(mutex_);
  require_alignment(copy);
  const std::vector<TiledPart> parts = tiled_parts(copy);
  for (const TiledPart& part : parts) Get(place, part.kernel);
  static constexpr auto types = TiledArguments::dpctl_types();
  for (const TiledPart& part : parts) {
    void* kernel = Get(place, part.kernel);
    for_each_tiled_launch(part, [&](TiledLaunch& launch) {
      auto arguments = launch.arguments.dpctl_arguments();
      const EventReference event(
          dpctl_, dpctl_.Queue_SubmitRange.Must(kernel, queue, arguments.data(), types.data(),
                                                arguments.size(), launch.items.data(), launch.rank,
                                                nullptr, 0));
    });
  }
}

void* Kernels::Get(const Place& place, const TiledKernel& kernel) {
  const auto found = kernels_.find(kernel);
  if (found != kernels_.end()) return found->second.kernel.get();
  // Numbers that stay as they are may be moved as if they were doubles.
  const bool wide = IsWide(kernel) && Converts(kernel);
  if (wide && !dpctl_.Device_HasAspect(place.reference.get(), kDoubles)) {
    throw SyclError("ERR_DTYPE_UNSUPPORTED", "dtype",
                    "expected a device with 64-bit floats, got " + place.selector +
                        ", which has none; convert in host memory");
  }
  const auto words =
      wide ? specialise(tiled_copy_spirv, kernel.conversion, kernel.steps)
           : specialise(tiled_copy_without_doubles_spirv, kernel.conversion, kernel.steps);
  Built made;
  made.bundle = {dpctl_, dpctl_.KernelBundle_CreateFromSpirv.Must(
                             place.context.get(), place.reference.get(), words.data(),
                             words.size() * sizeof words[0], "")};
  made.kernel = {dpctl_, dpctl_.KernelBundle_GetKernel.Must(made.bundle.get(), kernel.name())};
  return kernels_.emplace(kernel, std::move(made)).first->second.kernel.get();
}

}  // namespace array_interface::sycl
