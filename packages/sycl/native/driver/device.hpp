#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "context_device.hpp"

namespace array_interface::sycl {

/// One SYCL device, as its runtime lists it.
class Device {
 public:
  Device(const Dpctl& dpctl, std::size_t index, DeviceReference reference);

  const std::size_t index;
  const std::string name;
  const std::string backend;  ///< opencl, level_zero, cuda, hip
  const std::string type;     ///< cpu, gpu, accelerator, custom
  const std::string driver_version;
  const std::uint64_t memory_bytes;
  const std::uint32_t compute_units;
  const std::vector<std::string> aspects;  ///< only those that matter here
  const std::string limitation;            ///< which copies it cannot do, and why; empty if none
  /// The device in its default context, which dpctl and dpnp also use.
  const std::shared_ptr<ContextDevice> context_device;
};

}  // namespace array_interface::sycl
