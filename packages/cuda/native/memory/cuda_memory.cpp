#include "memory/cuda_memory.hpp"

#include <utility>

#include "napi/handle.hpp"

namespace array_interface::cuda {

bool CudaMemory::OutlivesThread() const {
  return allocation() != nullptr && allocation()->memory_kind() != MemoryKind::kRegistered;
}

bool CudaMemory::IsReachedFrom(Context& context) const {
  if (allocation() != nullptr) return allocation()->ReachedFrom(context);
  return location_.has_context && context.Reach(location_.device);
}

Napi::Object DescribeMemory(Napi::Env env, std::shared_ptr<CudaMemory> memory) {
  auto made = Napi::Object::New(env);
  if (const CudaAllocation* allocation = memory->allocation()) {
    made["pointer"] = Napi::BigInt::New(env, allocation->pointer());
    made["byteLength"] = static_cast<double>(allocation->size());
    made["hostPointer"] =
        Napi::BigInt::New(env, reinterpret_cast<std::uint64_t>(allocation->host()));
  }
  made["handle"] = Handle<CudaMemory>::Wrap(env, std::move(memory));
  return made;
}

}  // namespace array_interface::cuda
