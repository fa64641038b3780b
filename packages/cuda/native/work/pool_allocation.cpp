#include "work/pool_allocation.hpp"

#include <utility>

#include "driver/driver.hpp"

namespace array_interface::cuda {

PoolAllocation::PoolAllocation(std::shared_ptr<Pool> pool, std::shared_ptr<Stream> home,
                               std::size_t size)
    : CudaAllocation(pool->context(), MemoryKind::kPool, size),
      pool_(std::move(pool)),
      home_(std::move(home)) {
  const ContextScope scope(*context());
  DevicePointer pointer = 0;
  Cuda().cuMemAllocFromPoolAsync(&pointer, size, pool_->handle(), home_->handle());
  Begin(pointer, nullptr);
}

bool PoolAllocation::ReleaseInOrder(const PendingWork& rest) noexcept {
  if (!rest.unmarked.empty() || !home_->is_kept()) return false;
  try {
    home_->AssertRuns();
    for (const auto& event : rest.events) home_->Wait(*event);
    const ContextScope scope(*context());
    Cuda().cuMemFreeAsync(pointer(), home_->handle());
    return Finish();
  } catch (...) {
    return false;
  }
}

bool PoolAllocation::ReachedFrom(Context& context) { return pool_->ReachFrom(context.device()); }

void PoolAllocation::GiveBack() { Cuda().cuMemFree.Try(pointer()); }

}  // namespace array_interface::cuda
