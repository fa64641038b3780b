#include "memory/cuda_allocation.hpp"

#include "memory/process_memory.hpp"
#include "work/live_counts.hpp"

namespace array_interface::cuda {

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

}  // namespace array_interface::cuda
