#pragma once

#include <memory>

#include "memory/cuda_allocation.hpp"

namespace array_interface::cuda {

/// Managed memory, which the devices and this process reach.
class ManagedAllocation final : public CudaAllocation {
 public:
  /// Uninitialised bytes, at least one. Throws DriverError.
  ManagedAllocation(std::shared_ptr<Context> context, std::size_t size);
  ~ManagedAllocation() override { Release(); }

  std::size_t kept_at_most() const override { return std::size_t{64} << 20; }
  /// Whole pages of the host.
  std::size_t footprint() const override { return InPieces(size(), kPage); }

 protected:
  void GiveBack() override;
};

}  // namespace array_interface::cuda
