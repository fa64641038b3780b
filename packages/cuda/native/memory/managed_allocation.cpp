#include "memory/managed_allocation.hpp"

#include <utility>

#include "driver/driver.hpp"

namespace array_interface::cuda {

ManagedAllocation::ManagedAllocation(std::shared_ptr<Context> context, std::size_t size)
    : CudaAllocation(std::move(context), MemoryKind::kManaged, size) {
  const ContextScope scope(*this->context());
  DevicePointer pointer = 0;
  Cuda().cuMemAllocManaged(&pointer, size, kAttachGlobal);
  Begin(pointer, reinterpret_cast<void*>(pointer));
}

void ManagedAllocation::GiveBack() { Cuda().cuMemFree.Try(pointer()); }

}  // namespace array_interface::cuda
