#pragma once

#include <cstddef>
#include <memory>

#include "memory/cuda_allocation.hpp"
#include "peer_lock.hpp"

namespace array_interface::cuda {

/// Memory of another process, mapped into this one.
class ImportedAllocation final : public CudaAllocation {
 public:
  /// Leaves `peer lock` when the memory is closed. Throws DriverError.
  ImportedAllocation(std::shared_ptr<Context> context, const IpcHandle& handle, std::size_t size,
                     std::shared_ptr<PeerLock> peer_lock);
  ~ImportedAllocation() override { Release(); }

  /// Bytes from its first to the end of the exporter's allocation, as the driver says. Throws
  /// DriverError.
  std::size_t Extent() const;
  /// What keeps the exporter from giving it back.
  TicketFile::Identity lease() const { return peer_lock_->lease(); }

 protected:
  void GiveBack() override;

 private:
  std::shared_ptr<PeerLock> peer_lock_;
};

}  // namespace array_interface::cuda
