#include "imported_allocation.hpp"

#include <utility>

#include "driver/driver.hpp"

namespace array_interface::cuda {

ImportedAllocation::ImportedAllocation(std::shared_ptr<Context> context, const IpcHandle& handle,
                                       std::size_t size, std::shared_ptr<LeaseLock> lease_lock)
    : CudaAllocation(std::move(context), MemoryKind::kOpened, size),
      lease_lock_(std::move(lease_lock)) {
  const ContextScope scope(*this->context());
  DevicePointer pointer = 0;
  Cuda().cuIpcOpenMemHandle(&pointer, handle, kIpcLazyPeerAccess);
  Begin(pointer, nullptr);
}

std::size_t ImportedAllocation::Extent() const {
  const ContextScope scope(*context());
  DevicePointer start = 0;
  std::size_t size = 0;
  Cuda().cuMemGetAddressRange(&start, &size, pointer());
  return size - (pointer() - start);
}

void ImportedAllocation::GiveBack() {
  Cuda().cuIpcCloseMemHandle.Try(pointer());
  lease_lock_->Leave();
}

}  // namespace array_interface::cuda
