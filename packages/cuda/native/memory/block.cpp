#include "memory/block.hpp"

#include <utility>

#include "driver/driver.hpp"

namespace array_interface::cuda {

Block::Block(std::shared_ptr<Context> context, MemoryKind kind, std::size_t size)
    : Block(Bare{}, std::move(context), kind, size) {
  Allocate();
  Count(true);
}

void Block::Allocate() {
  const ContextScope scope(*context_);
  if (kind_ == MemoryKind::kDevice) {
    Cuda().cuMemAlloc(&pointer_, size_);
  } else if (kind_ == MemoryKind::kManaged) {
    Cuda().cuMemAllocManaged(&pointer_, size_, kAttachGlobal);
    host_ = reinterpret_cast<void*>(pointer_);
  } else {
    Cuda().cuMemHostAlloc(&host_, size_, kHostAllocPortable | kHostAllocDeviceMap);
    MapPinned();
  }
}

std::unique_ptr<Block> Block::Register(std::shared_ptr<Context> context, std::byte* host,
                                       std::size_t size,
                                       std::shared_ptr<Registration> registration) {
  std::unique_ptr<Block> block(
      new Block(Bare{}, std::move(context), MemoryKind::kRegistered, size));
  const ContextScope scope(*block->context_);
  Cuda().cuMemHostRegister(host, size, kRegisterPortable | kRegisterDeviceMap);
  block->host_ = host;
  block->MapPinned();
  block->registration_ = std::move(registration);
  block->Count(true);
  return block;
}

std::unique_ptr<Block> Block::FromPool(std::shared_ptr<Context> context, PoolHandle pool,
                                       StreamHandle stream, std::size_t size) {
  std::unique_ptr<Block> block(new Block(Bare{}, std::move(context), MemoryKind::kPool, size));
  const ContextScope scope(*block->context_);
  Cuda().cuMemAllocFromPoolAsync(&block->pointer_, size, pool, stream);
  block->Count(true);
  return block;
}

std::unique_ptr<Block> Block::Open(std::shared_ptr<Context> context, const IpcHandle& handle,
                                   std::size_t size, std::shared_ptr<Tenancy> tenancy) {
  std::unique_ptr<Block> block(new Block(Bare{}, std::move(context), MemoryKind::kOpened, size));
  const ContextScope scope(*block->context_);
  Cuda().cuIpcOpenMemHandle(&block->pointer_, handle, kIpcLazyPeerAccess);
  block->tenancy_ = std::move(tenancy);
  block->Count(true);
  return block;
}

void Block::MapPinned() {
  try {
    Cuda().cuMemHostGetDevicePointer(&pointer_, host_, 0);
  } catch (const DriverError&) {
    GiveBack();
    throw;
  }
}

bool Block::GiveBack() const {
  switch (kind_) {
    case MemoryKind::kPinned:
    case MemoryKind::kStaging:
      return Cuda().cuMemFreeHost.Try(host_) == kSuccess;
    case MemoryKind::kRegistered:
      return Cuda().cuMemHostUnregister.Try(host_) == kSuccess;
    case MemoryKind::kOpened:
      return Cuda().cuIpcCloseMemHandle.Try(pointer_) == kSuccess;
    default:
      return Cuda().cuMemFree.Try(pointer_) == kSuccess;
  }
}

void Block::Release() noexcept {
  bool is_back = false;
  try {
    const ContextScope scope(*context_);
    is_back = GiveBack();
  } catch (const DriverError&) {
    // The context is gone, and the memory with it.
  }
  if (tenancy_) tenancy_->Leave();
  if (registration_ && is_back) registration_->End();
  Count(false);
}

void Block::ReleaseOn(StreamHandle stream) {
  const ContextScope scope(*context_);
  Cuda().cuMemFreeAsync(pointer_, stream);
  Count(false);
}

bool Block::WaitForContext() const noexcept {
  try {
    const ContextScope scope(*context_);
    const Result result = Cuda().cuCtxSynchronize.Try();
    return result < kFirstCaptureError || result > kLastCaptureError;
  } catch (const DriverError&) {
    return true;
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
