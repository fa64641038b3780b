#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "device/device_kernel.hpp"
#include "memory/work.hpp"
#include "napi/setup.hpp"
#include "work/loaded_module.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// A function of user code in a primary context. Its code is null-terminated PTX, a cubin or a fat
/// binary. Another thread builds its module, or finds it already built for another function. The
/// error of a failed build is a DriverError, or std::runtime_error.
class LoadedKernel : public DeviceKernel<LoadedKernel, LoadedModule> {
 public:
  static constexpr napi_type_tag kTag{0x4f1ab7d20c6e4935, 0x93d8e2f6a15b7c04};

  /// Groups, then items of a group, along x, y and z, then the bytes of dynamic shared memory.
  using Shape = std::array<std::uint32_t, 7>;
  /// The device's limits for a group of a kernel: items in total and along x, y and z, and the
  /// bytes of dynamic shared memory.
  using Limits = std::array<int, 5>;

  using DeviceKernel::DeviceKernel;

  /// Valid once it is built.
  const Limits& limits() const { return limits_; }
  /// Enqueues a launch with `values`, a slot for each, ordered with all other work on the memories.
  /// Throws DriverError.
  Enqueued Launch(const std::shared_ptr<Stream>& stream, const Shape& shape, std::byte* values,
                  Uses uses);

 private:
  friend DeviceKernel;

  void Load();
  void CheckParameters() const;
  Limits FindLimits() const;
  bool HasParameter(std::size_t index, std::size_t& size) const;

  FunctionHandle function_ = nullptr;
  Limits limits_{};
};

}  // namespace array_interface::cuda
