#include "memory/device_allocation.hpp"

#include <algorithm>
#include <utility>

#include "driver/driver.hpp"

namespace array_interface::cuda {

namespace {

constexpr std::size_t kLeastKept = std::size_t{64} << 20;
constexpr std::size_t kKeptPart = 8;

constexpr std::size_t kPiece = 512;
constexpr std::size_t kBlock = std::size_t{2} << 20;

std::size_t KeptOf(int device) {
  std::size_t bytes = 0;
  Cuda().cuDeviceTotalMem(&bytes, device);
  return std::max(kLeastKept, bytes / kKeptPart);
}

}  // namespace

DeviceAllocation::DeviceAllocation(std::shared_ptr<Context> context, std::size_t size)
    : CudaAllocation(std::move(context), MemoryKind::kDevice, size),
      kept_at_most_(KeptOf(this->context()->device())) {
  const ContextScope scope(*this->context());
  DevicePointer pointer = 0;
  Cuda().cuMemAlloc(&pointer, size);
  Begin(pointer, nullptr);
}

std::size_t DeviceAllocation::kept_at_most() const { return is_shared_ ? 0 : kept_at_most_; }

std::size_t DeviceAllocation::footprint() const {
  return InPieces(size(), size() < kBlock / 2 ? kPiece : kBlock);
}

IpcHandle DeviceAllocation::Share() {
  const ContextScope scope(*context());
  IpcHandle handle{};
  Cuda().cuIpcGetMemHandle(&handle, pointer());
  is_shared_ = true;
  return handle;
}

void DeviceAllocation::GiveBack() { Cuda().cuMemFree.Try(pointer()); }

}  // namespace array_interface::cuda
