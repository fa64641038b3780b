#pragma once

#include <cstddef>
#include <memory>

#include "ipc/tenancy.hpp"
#include "memory/cuda_allocation.hpp"

namespace array_interface::cuda {

/// Memory of another process, mapped into this one.
class OpenedAllocation final : public CudaAllocation {
 public:
  /// Leaves `tenancy` when the memory is closed. Throws DriverError.
  OpenedAllocation(std::shared_ptr<Context> context, const IpcHandle& handle, std::size_t size,
                   std::shared_ptr<Tenancy> tenancy);
  ~OpenedAllocation() override { Release(); }

  /// Bytes from its first to the end of the sharer's allocation, as the driver says. Throws
  /// DriverError.
  std::size_t Extent() const;
  /// What keeps the sharer from giving it back.
  TicketFile::Identity lease() const { return tenancy_->lease(); }

 protected:
  void GiveBack() override;

 private:
  std::shared_ptr<Tenancy> tenancy_;
};

}  // namespace array_interface::cuda
