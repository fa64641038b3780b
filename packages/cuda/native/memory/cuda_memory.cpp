#include "memory/cuda_memory.hpp"

#include <utility>

#include "napi/handle.hpp"

namespace array_interface::cuda {

CudaMemory::CudaMemory(Napi::Env env, std::shared_ptr<Block> block, bool owns, Location location)
    : env_(env), ref_(std::move(block), owns), location_(location) {
  if (!owns || allocation() == nullptr) return;
  told_bytes_ = static_cast<std::int64_t>(allocation()->size());
  std::int64_t total = 0;
  napi_adjust_external_memory(env_, told_bytes_, &total);
}

std::shared_ptr<CudaMemory> CudaMemory::Lend(Napi::Env env) const {
  auto loan = std::make_shared<CudaMemory>(env, Share());
  loan->ref().set_keep(ref_.keep());
  return loan;
}

void CudaMemory::End() {
  if (ref_.ended()) return;
  ref_.End();
  if (told_bytes_ == 0) return;
  std::int64_t total = 0;
  napi_adjust_external_memory(env_, -std::exchange(told_bytes_, 0), &total);
}

bool CudaMemory::IsReachedFrom(Context& context) const {
  if (allocation() != nullptr) return allocation()->ReachedFrom(context);
  return location_.has_context && context.Reach(location_.device);
}

std::shared_ptr<CudaMemory> LiveMemory(const Napi::Value& value, const char* path) {
  auto memory = Handle<CudaMemory>::Unwrap(value, path);
  if (!memory->ref().ended()) return memory;
  Throw(value.Env(),
        {"ERR_DISPOSED", path, "expected live memory, got memory that was released", "", 0, ""});
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

Napi::Object GiveMemory(Napi::Env env, std::unique_ptr<CudaAllocation> allocation) {
  const CudaMemory::Location location{allocation->context()->device()};
  auto block = MakeBlock(std::move(allocation));
  return DescribeMemory(env, std::make_shared<CudaMemory>(env, std::move(block), true, location));
}

}  // namespace array_interface::cuda
