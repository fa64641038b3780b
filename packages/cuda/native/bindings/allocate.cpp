#include "bindings/allocate.hpp"

#include <algorithm>
#include <string>

#include "memory/process_memory.hpp"
#include "napi/failure.hpp"

namespace array_interface::cuda {

namespace {

const char* NameOf(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kManaged:
      return "managed memory";
    case MemoryKind::kPinned:
    case MemoryKind::kStaging:
      return "pinned memory";
    case MemoryKind::kPool:
      return "pool memory";
    default:
      return "device memory";
  }
}

[[noreturn]] void ThrowOutOfMemory(Napi::Env env, const Context& context, MemoryKind kind,
                                   std::size_t size, std::size_t pending_bytes) {
  std::string message = "expected " + std::to_string(size) + " bytes of " + NameOf(kind) +
                        " on device " + std::to_string(context.device()) +
                        ", got CUDA_ERROR_OUT_OF_MEMORY; ";
  if (pending_bytes > 0) {
    message += std::to_string(pending_bytes) +
               " bytes are still pending: await the work on what you disposed of, or use "
               "cuda.array(), which waits for them";
  } else {
    message += "nothing is pending: dispose of arrays or use smaller ones";
  }
  Throw(env, {"ERR_OUT_OF_MEMORY", "", message, "CUDA_ERROR_OUT_OF_MEMORY", kOutOfMemory, ""});
}

}  // namespace

std::unique_ptr<CudaAllocation> Allocate(
    Napi::Env env, const Context& context, MemoryKind kind, std::size_t size, double timeout,
    const std::function<std::unique_ptr<CudaAllocation>()>& make) {
  const CachingAllocator::Milliseconds longest(static_cast<std::int64_t>(std::max(0.0, timeout)));
  auto tried =
      ProcessAllocator().Try(&context, static_cast<int>(kind), size, longest,
                             [&]() -> std::unique_ptr<Allocation> { return OrNone(make); });
  if (tried.allocation == nullptr) {
    ThrowOutOfMemory(env, context, kind, size, tried.pending_bytes);
  }
  return std::unique_ptr<CudaAllocation>(static_cast<CudaAllocation*>(tried.allocation.release()));
}

}  // namespace array_interface::cuda
