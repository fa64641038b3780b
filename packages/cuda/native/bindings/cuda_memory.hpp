#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "memory/holder.hpp"
#include "memory/process_memory.hpp"
#include "napi/setup.hpp"

namespace array_interface::cuda {

/// JavaScript's hold on memory: an owner's, or a loan's. Its end by hand and by garbage collection
/// are the same. V8 is told how much memory it keeps.
class CudaMemory {
 public:
  static constexpr napi_type_tag kTag{0x7be4d1a09c3f4b58, 0x8e6f20c1d5a49b04};

  /// How other devices reach a stranger's device memory: by its device, where it is of a context.
  struct Place {
    int device = 0;
    bool has_context = true;
  };

  CudaMemory(Napi::Env env, std::shared_ptr<Block> block, bool owns, Place place);
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;
  ~CudaMemory() { End(); }

  /// A loan of the same memory.
  std::shared_ptr<CudaMemory> Lend(Napi::Env env) const;
  /// What gives a reference to the producer's JavaScript object, for as long as work is pending.
  void KeepWhilePending(std::function<std::shared_ptr<void>()> keep);

  /// Lets go of the memory, once. Never waits.
  void End();

  Holder& holder() { return holder_; }
  /// Null for a stranger's memory. Only while it has not ended, as all below.
  CudaAllocation* allocation() const { return AllocationOf(*holder_.block()); }
  /// Whether kernels on streams of the context reach it. Throws DriverError.
  bool IsReachedFrom(Context& context) const;

 private:
  Napi::Env env_;
  Holder holder_;
  Place place_;
  std::int64_t told_bytes_ = 0;
  std::function<std::shared_ptr<void>()> keep_;
};

/// The memory behind a handle. Throws ERR_TYPE, or ERR_DISPOSED once it was ended.
std::shared_ptr<CudaMemory> LiveMemory(const Napi::Value& value, const char* path);

/// Memory for JavaScript: { handle, pointer, hostPointer }; 0n where this process does not reach
/// it.
Napi::Object DescribeMemory(Napi::Env env, std::shared_ptr<CudaMemory> memory);

/// The same of a new block of ours, whose owner it becomes.
Napi::Object GiveMemory(Napi::Env env, std::unique_ptr<CudaAllocation> allocation);

}  // namespace array_interface::cuda
