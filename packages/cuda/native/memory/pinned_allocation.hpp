#pragma once

#include <memory>

#include "memory/cuda_allocation.hpp"

namespace array_interface::cuda {

/// Pinned memory: the driver allocated it in this process, and devices reach it.
class PinnedAllocation final : public CudaAllocation {
 public:
  /// Uninitialised bytes, at least one, as `kPinned` or `kStaging`. Staging has at least so many
  /// bytes, since its sizes are rounded to be used again. Throws DriverError.
  PinnedAllocation(std::shared_ptr<Context> context, MemoryKind kind, std::size_t size);
  ~PinnedAllocation() override { Release(); }

  /// Bytes that are allocated for so many bytes of staging.
  static std::size_t StagingSize(std::size_t size);

  std::size_t kept_at_most() const override { return std::size_t{64} << 20; }
  /// Whole pages of the host.
  std::size_t footprint() const override { return InPieces(size(), kPage); }

 protected:
  void GiveBack() override;
};

}  // namespace array_interface::cuda
