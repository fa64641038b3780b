#include "memory/allocation.hpp"

#include <utility>

#include "driver/driver.hpp"

namespace array_interface::cuda {

/// What the driver gave, until it is given back.
struct Allocation::Block {
  std::shared_ptr<Context> context;
  AllocationKind kind;
  DevicePointer pointer = 0;
  void* host = nullptr;
  LiveCount count{LiveKind::kAllocation};

  Block(std::shared_ptr<Context> context, AllocationKind kind, std::size_t size)
      : context(std::move(context)), kind(kind) {
    const ContextScope scope(*this->context);
    switch (kind) {
      case AllocationKind::kDevice:
        Cuda().cuMemAlloc(&pointer, size);
        break;
      case AllocationKind::kManaged:
        Cuda().cuMemAllocManaged(&pointer, size, kAttachGlobal);
        host = reinterpret_cast<void*>(pointer);
        break;
      case AllocationKind::kPinned:
        Cuda().cuMemHostAlloc(&host, size, kHostAllocPortable | kHostAllocDeviceMap);
        MapPinned();
        break;
    }
  }

  /// Never throws: after a failure of the context there is nothing left to give back.
  void Free(const std::vector<std::shared_ptr<Event>>& pending, bool wait_for_all) noexcept {
    for (const auto& event : pending) {
      try {
        event->Synchronize();
      } catch (const DriverError&) {
        // Work that failed has ended, too.
      }
    }
    try {
      const ContextScope scope(*context);
      if (wait_for_all) Cuda().cuCtxSynchronize.Try();
      if (kind == AllocationKind::kPinned) {
        Cuda().cuMemFreeHost.Try(host);
      } else {
        Cuda().cuMemFree.Try(pointer);
      }
    } catch (const DriverError&) {
      // The context is gone, and the memory with it.
    }
  }

 private:
  void MapPinned() {
    try {
      Cuda().cuMemHostGetDevicePointer(&pointer, host, 0);
    } catch (const DriverError&) {
      Cuda().cuMemFreeHost.Try(host);
      throw;
    }
  }
};

Allocation::Allocation(std::shared_ptr<Context> context, std::shared_ptr<Reaper> reaper,
                       AllocationKind kind, std::size_t size)
    : reaper_(std::move(reaper)),
      block_(std::make_unique<Block>(std::move(context), kind, size)),
      pointer_(block_->pointer),
      host_(static_cast<std::byte*>(block_->host)),
      size_(size) {}

Allocation::~Allocation() {
  if (!freed()) Post({}, true);
}

void Allocation::Free(std::vector<std::shared_ptr<Event>> pending) {
  if (!freed()) Post(std::move(pending), false);
}

void Allocation::Post(std::vector<std::shared_ptr<Event>> pending, bool wait_for_all) {
  // std::function wants something that can be copied.
  const std::shared_ptr<Block> block = std::move(block_);
  reaper_->Post(
      [block, pending = std::move(pending), wait_for_all] { block->Free(pending, wait_for_all); });
}

}  // namespace array_interface::cuda
