#pragma once

#include <memory>

#include "memory/cuda_allocation.hpp"
#include "memory/pool.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// Memory of a pool, allocated and freed in the order of its home stream.
class PoolAllocation final : public CudaAllocation {
 public:
  /// Allocates uninitialised bytes, at least one, for work enqueued on `home` from now on. Throws
  /// DriverError.
  PoolAllocation(std::shared_ptr<Pool> pool, std::shared_ptr<Stream> home, std::size_t size);
  ~PoolAllocation() override { Release(); }

  /// Returns false while the home stream is captured, which would record the free, and if the
  /// driver refuses.
  bool ReleaseInOrder(const PendingWork& rest) noexcept override;

  bool ReachedFrom(Context& context) override;

 protected:
  void GiveBack() override;

 private:
  std::shared_ptr<Pool> pool_;
  std::shared_ptr<Stream> home_;
};

}  // namespace array_interface::cuda
