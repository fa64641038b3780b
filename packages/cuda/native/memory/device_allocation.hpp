#pragma once

#include <atomic>
#include <memory>

#include "memory/cuda_allocation.hpp"

namespace array_interface::cuda {

/// Device memory of cuMemAlloc. Other libraries know it by pointer queries, and other processes by
/// handles.
class DeviceAllocation final : public CudaAllocation {
 public:
  /// Uninitialised bytes, at least one. Throws DriverError.
  DeviceAllocation(std::shared_ptr<Context> context, std::size_t size);
  ~DeviceAllocation() override { Release(); }

  /// An eighth of the device's memory, but at least 64 MiB.
  std::size_t kept_at_most() const override;
  /// Drivers give small memory in pieces of 512 bytes, out of blocks of 2 MiB, and large memory in
  /// whole blocks.
  std::size_t footprint() const override;

  /// A handle for another process. From now on the memory is not kept for the next allocation,
  /// since the handle goes on to name it. Throws DriverError.
  IpcHandle Share();

 protected:
  void GiveBack() override;

 private:
  std::size_t kept_at_most_;
  std::atomic<bool> is_shared_{false};
};

}  // namespace array_interface::cuda
