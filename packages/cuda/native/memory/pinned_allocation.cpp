#include "memory/pinned_allocation.hpp"

#include <utility>

#include "driver/driver.hpp"

namespace array_interface::cuda {

namespace {

constexpr std::size_t kSmallestStaging = 4096;
constexpr std::size_t kStep = std::size_t{1} << 20;

}  // namespace

// A power of two; above 1 MiB, a multiple of 1 MiB.
std::size_t PinnedAllocation::StagingSize(std::size_t size) {
  if (size > kStep) return (size + kStep - 1) / kStep * kStep;
  std::size_t rounded = kSmallestStaging;
  while (rounded < size) rounded *= 2;
  return rounded;
}

PinnedAllocation::PinnedAllocation(std::shared_ptr<Context> context, MemoryKind kind,
                                   std::size_t size)
    : CudaAllocation(std::move(context), kind, size) {
  const ContextScope scope(*this->context());
  void* host = nullptr;
  Cuda().cuMemHostAlloc(&host, size, kHostAllocPortable | kHostAllocDeviceMap);
  DevicePointer pointer = 0;
  try {
    Cuda().cuMemHostGetDevicePointer(&pointer, host, 0);
  } catch (const DriverError&) {
    Cuda().cuMemFreeHost.Try(host);
    throw;
  }
  Begin(pointer, host);
}

void PinnedAllocation::GiveBack() { Cuda().cuMemFreeHost.Try(host()); }

}  // namespace array_interface::cuda
