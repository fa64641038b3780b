#include "memory/cuda_allocation.hpp"

#include <algorithm>

#include "driver/driver.hpp"
#include "driver/live_counts.hpp"
#include "memory/process_memory.hpp"

namespace array_interface::cuda {

namespace {

constexpr std::size_t kLeastKept = std::size_t{64} << 20;
constexpr std::size_t kKeptPart = 8;

constexpr std::size_t kPiece = 512;
constexpr std::size_t kBlock = std::size_t{2} << 20;

/// Bytes of a page of host memory.
constexpr std::size_t kPage = 4096;

constexpr std::size_t kSmallestStaging = 4096;
constexpr std::size_t kStep = std::size_t{1} << 20;

std::size_t KeptOf(MemoryKind kind, int device) {
  if (kind != MemoryKind::kDevice) return kLeastKept;
  std::size_t bytes = 0;
  Cuda().cuDeviceTotalMem(&bytes, device);
  return std::max(kLeastKept, bytes / kKeptPart);
}

}  // namespace

void CudaAllocation::Begin(DevicePointer pointer, void* host) {
  set_pointer(pointer);
  host_ = static_cast<std::byte*>(host);
  is_there_ = true;
  ++LiveCount::Of(LiveKind::kAllocation);
}

bool CudaAllocation::Finish() noexcept {
  if (!is_there_.exchange(false)) return false;
  ProcessBlocks().Remove(*this);
  --LiveCount::Of(LiveKind::kAllocation);
  return true;
}

void CudaAllocation::Release() noexcept {
  if (!is_there_.exchange(false)) return;
  try {
    const ContextScope scope(*context_);
    GiveBack();
  } catch (const DriverError&) {
    // The context is gone, and the memory with it.
  }
  ProcessBlocks().Remove(*this);
  --LiveCount::Of(LiveKind::kAllocation);
}

DriverAllocation::DriverAllocation(std::shared_ptr<Context> context, MemoryKind kind,
                                   std::size_t size)
    : CudaAllocation(std::move(context), kind, size),
      kept_at_most_(KeptOf(kind, this->context()->device())) {
  const ContextScope scope(*this->context());
  if (kind == MemoryKind::kDevice) {
    AllocateDevice();
  } else if (kind == MemoryKind::kManaged) {
    AllocateManaged();
  } else {
    AllocatePinned();
  }
}

void DriverAllocation::AllocateDevice() {
  DevicePointer pointer = 0;
  Cuda().cuMemAlloc(&pointer, size());
  Begin(pointer, nullptr);
}

void DriverAllocation::AllocateManaged() {
  DevicePointer pointer = 0;
  Cuda().cuMemAllocManaged(&pointer, size(), kAttachGlobal);
  Begin(pointer, reinterpret_cast<void*>(pointer));
}

void DriverAllocation::AllocatePinned() {
  void* host = nullptr;
  Cuda().cuMemHostAlloc(&host, size(), kHostAllocPortable | kHostAllocDeviceMap);
  DevicePointer pointer = 0;
  try {
    Cuda().cuMemHostGetDevicePointer(&pointer, host, 0);
  } catch (const DriverError&) {
    Cuda().cuMemFreeHost.Try(host);
    throw;
  }
  Begin(pointer, host);
}

void DriverAllocation::GiveBack() {
  const bool is_pinned =
      memory_kind() == MemoryKind::kPinned || memory_kind() == MemoryKind::kStaging;
  if (is_pinned) {
    Cuda().cuMemFreeHost.Try(host());
  } else {
    Cuda().cuMemFree.Try(pointer());
  }
}

// Rounds up to a power of two; above 1 MiB, to a multiple of 1 MiB.
std::size_t DriverAllocation::StagingSize(std::size_t size) {
  if (size > kStep) return (size + kStep - 1) / kStep * kStep;
  std::size_t rounded = kSmallestStaging;
  while (rounded < size) rounded *= 2;
  return rounded;
}

std::size_t DriverAllocation::footprint() const {
  if (memory_kind() != MemoryKind::kDevice) return InPieces(size(), kPage);
  return InPieces(size(), size() < kBlock / 2 ? kPiece : kBlock);
}

IpcHandle DriverAllocation::Share() {
  const ContextScope scope(*context());
  IpcHandle handle{};
  Cuda().cuIpcGetMemHandle(&handle, pointer());
  is_shared_ = true;
  return handle;
}

}  // namespace array_interface::cuda
