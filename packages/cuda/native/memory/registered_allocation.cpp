#include "memory/registered_allocation.hpp"

#include <utility>

#include "driver/driver.hpp"
#include "memory/block.hpp"

namespace array_interface::cuda {

RegisteredAllocation::RegisteredAllocation(std::shared_ptr<Context> context, std::byte* host,
                                           std::size_t size, std::shared_ptr<void> kept)
    : CudaAllocation(std::move(context), MemoryKind::kRegistered, size), kept_(std::move(kept)) {
  const ContextScope scope(*this->context());
  Cuda().cuMemHostRegister(host, size, kRegisterPortable | kRegisterDeviceMap);
  DevicePointer pointer = 0;
  try {
    Cuda().cuMemHostGetDevicePointer(&pointer, host, 0);
  } catch (const DriverError&) {
    Cuda().cuMemHostUnregister.Try(host);
    throw;
  }
  Begin(pointer, host);
}

RegisteredAllocation::~RegisteredAllocation() {
  Release();
  // The device may still reach what the driver did not let go of.
  if (kept_ != nullptr && !context()->is_gone()) KeepForGood(std::move(kept_));
}

void RegisteredAllocation::GiveBack() {
  if (Cuda().cuMemHostUnregister.Try(host()) == kSuccess) kept_ = nullptr;
}

}  // namespace array_interface::cuda
