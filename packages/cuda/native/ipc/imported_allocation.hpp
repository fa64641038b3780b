#pragma once

#include <cstddef>
#include <memory>

#include "memory/cuda_allocation.hpp"
#include "peer_lock.hpp"

namespace array_interface::cuda {

/// Another process's memory, mapped into this one.
class ImportedAllocation final : public CudaAllocation {
 public:
  /// Releases `peer_lock` when the memory is closed. Throws DriverError.
  ImportedAllocation(std::shared_ptr<Context> context, const IpcHandle& handle, std::size_t size,
                     std::shared_ptr<PeerLock> peer_lock);
  ~ImportedAllocation() override { Release(); }

  /// Returns the bytes from its first byte to the end of the exporter's allocation, as the driver
  /// reports. Throws DriverError.
  std::size_t Extent() const;
  /// The lease that keeps the exporter from freeing the memory.
  TicketFile::Identity lease() const { return peer_lock_->lease(); }

 protected:
  void GiveBack() override;

 private:
  std::shared_ptr<PeerLock> peer_lock_;
};

}  // namespace array_interface::cuda
