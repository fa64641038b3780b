#include "memory/block.hpp"

#include <utility>

#include "driver/driver.hpp"

namespace array_interface::cuda {

Block::Block(std::shared_ptr<Context> context, MemoryKind kind, std::size_t size)
    : context_(std::move(context)), kind_(kind), size_(size) {
  const ContextScope scope(*context_);
  switch (kind) {
    case MemoryKind::kDevice:
      Cuda().cuMemAlloc(&pointer_, size);
      break;
    case MemoryKind::kManaged:
      Cuda().cuMemAllocManaged(&pointer_, size, kAttachGlobal);
      host_ = reinterpret_cast<void*>(pointer_);
      break;
    case MemoryKind::kPinned:
    case MemoryKind::kStaging:
      Cuda().cuMemHostAlloc(&host_, size, kHostAllocPortable | kHostAllocDeviceMap);
      MapPinned();
      break;
  }
  Count(true);
}

void Block::MapPinned() {
  try {
    Cuda().cuMemHostGetDevicePointer(&pointer_, host_, 0);
  } catch (const DriverError&) {
    Cuda().cuMemFreeHost.Try(host_);
    throw;
  }
}

void Block::Release() noexcept {
  try {
    const ContextScope scope(*context_);
    if (IsPinned()) {
      Cuda().cuMemFreeHost.Try(host_);
    } else {
      Cuda().cuMemFree.Try(pointer_);
    }
  } catch (const DriverError&) {
    // The context is gone, and the memory with it.
  }
  Count(false);
}

void Block::WaitForContext() const noexcept {
  try {
    const ContextScope scope(*context_);
    Cuda().cuCtxSynchronize.Try();
  } catch (const DriverError&) {
    // Work that failed has ended, too.
  }
}

void Block::Count(bool is_live) {
  if (!is_live) {
    count_.reset();
  } else if (!count_) {
    count_.emplace(LiveKind::kAllocation);
  }
}

}  // namespace array_interface::cuda
