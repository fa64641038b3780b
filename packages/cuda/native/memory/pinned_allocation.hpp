#pragma once

#include <memory>

#include "memory/cuda_allocation.hpp"

namespace array_interface::cuda {

/// Memory of this process that the driver allocated where devices reach it.
class PinnedAllocation final : public CudaAllocation {
 public:
  /// Uninitialised bytes, at least one: `kPinned`, or `kStaging`, of which there are at least so
  /// many, since sizes are rounded for the next one. Throws DriverError.
  PinnedAllocation(std::shared_ptr<Context> context, MemoryKind kind, std::size_t size);
  ~PinnedAllocation() override { Release(); }

  /// What is allocated for so many bytes of staging.
  static std::size_t StagingSize(std::size_t size);

  std::size_t kept_at_most() const override { return std::size_t{64} << 20; }

 protected:
  void GiveBack() override;
};

}  // namespace array_interface::cuda
