#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "kernels.hpp"
#include "reference.hpp"

namespace array_interface::sycl {

/// One SYCL device with its default context, which is what dpctl and dpnp use too.
class Device {
 public:
  Device(const Dpctl& dpctl, std::size_t index, DeviceReference reference);

  const Dpctl& dpctl;
  const std::size_t index;
  const DeviceReference reference;
  const ContextReference context;
  const std::string name;
  const std::string type;  ///< cpu, gpu, accelerator, custom
  const std::string driver_version;
  const std::string selector;  ///< opencl:cpu:0
  const std::uint64_t memory_bytes;

  /// The queue that allocations are made with; created when first needed.
  void* allocation_queue();
  Kernels& kernels() { return kernels_; }

 private:
  std::mutex mutex_;
  QueueReference allocation_queue_;
  Kernels kernels_;
};

/// A new queue of the device in its default context. Throws SyclError.
QueueReference MakeQueue(const Device& device, bool in_order);

}  // namespace array_interface::sycl
