#include "ipc/opened_allocation.hpp"

#include <utility>

#include "driver/driver.hpp"

namespace array_interface::cuda {

OpenedAllocation::OpenedAllocation(std::shared_ptr<Context> context, const IpcHandle& handle,
                                   std::size_t size, std::shared_ptr<Tenancy> tenancy)
    : CudaAllocation(std::move(context), MemoryKind::kOpened, size), tenancy_(std::move(tenancy)) {
  const ContextScope scope(*this->context());
  DevicePointer pointer = 0;
  Cuda().cuIpcOpenMemHandle(&pointer, handle, kIpcLazyPeerAccess);
  Begin(pointer, nullptr);
}

std::size_t OpenedAllocation::Extent() const {
  const ContextScope scope(*context());
  DevicePointer start = 0;
  std::size_t size = 0;
  Cuda().cuMemGetAddressRange(&start, &size, pointer());
  return size - (pointer() - start);
}

void OpenedAllocation::GiveBack() {
  Cuda().cuIpcCloseMemHandle.Try(pointer());
  tenancy_->Leave();
}

}  // namespace array_interface::cuda
