#include "memory/registered_allocation.hpp"

#include <mutex>
#include <utility>
#include <vector>

#include "driver/driver.hpp"

namespace array_interface::cuda {

namespace {

/// Keeps for good what the driver did not let go of, since the device may still reach it.
void KeepForGood(std::shared_ptr<void> kept) {
  static auto& mutex = *new std::mutex();
  static auto& all = *new std::vector<std::shared_ptr<void>>();
  const std::lock_guard lock(mutex);
  all.push_back(std::move(kept));
}

}  // namespace

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
  if (kept_ != nullptr) KeepForGood(std::move(kept_));
}

void RegisteredAllocation::GiveBack() {
  if (Cuda().cuMemHostUnregister.Try(host()) == kSuccess) kept_ = nullptr;
}

}  // namespace array_interface::cuda
