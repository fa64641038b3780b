#pragma once

#include <cstddef>
#include <memory>

#include "lease_lock.hpp"
#include "memory/cuda_allocation.hpp"

namespace array_interface::cuda {

/// Another process's memory, mapped into this one.
class ImportedAllocation final : public CudaAllocation {
 public:
  /// Releases `lease_lock` when the memory is closed. Throws DriverError.
  ImportedAllocation(std::shared_ptr<Context> context, const IpcHandle& handle, std::size_t size,
                     std::shared_ptr<LeaseLock> lease_lock);
  ~ImportedAllocation() override { Release(); }

  /// Returns the bytes from its first byte to the end of the exporter's allocation, as the driver
  /// reports. Throws DriverError.
  std::size_t Extent() const;
  /// The lease that keeps the exporter from freeing the memory.
  TicketFile::Identity lease() const { return lease_lock_->lease(); }

 protected:
  void GiveBack() override;

 private:
  std::shared_ptr<LeaseLock> lease_lock_;
};

}  // namespace array_interface::cuda
