#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "memory/memory_ref.hpp"
#include "napi/failure.hpp"
#include "napi/handle.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// JavaScript's reference to memory of a device: an owner's, or a loan's. It ends in the same way
/// explicitly and by garbage collection. V8 is told how many bytes it keeps alive. Each backend
/// derives its own class. Used and destroyed on one thread.
class DeviceMemory {
 public:
  /// `owns`: whether this is the owner's reference.
  DeviceMemory(Napi::Env env, std::shared_ptr<Block> block, bool owns)
      : env_(env), ref_(std::move(block), owns) {
    if (owns && allocation() != nullptr) {
      Report(static_cast<std::int64_t>(allocation()->size()));
    }
  }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() { End(); }

  /// Releases the memory, once. Never blocks.
  void End() {
    if (ref_.ended()) return;
    ref_.End();
    if (reported_bytes_ != 0) Report(-reported_bytes_);
  }

  MemoryRef& ref() { return ref_; }
  const MemoryRef& ref() const { return ref_; }
  /// Null for another library's memory. Requires that the memory has not ended.
  Allocation* allocation() const { return ref_.block()->allocation(); }

 private:
  void Report(std::int64_t bytes) {
    reported_bytes_ += bytes;
    std::int64_t total = 0;
    napi_adjust_external_memory(env_, bytes, &total);
  }

  napi_env env_;
  MemoryRef ref_;
  std::int64_t reported_bytes_ = 0;
};

/// Returns the memory of a handle. Throws ERR_TYPE, or ERR_DISPOSED once it has ended.
template <class Memory>
std::shared_ptr<Memory> LiveMemory(const Napi::Value& value, const char* path) {
  auto memory = Handle<Memory>::Unwrap(value, path);
  if (!memory->ref().ended()) return memory;
  Throw(value.Env(),
        {"ERR_DISPOSED", path, "expected live memory, got memory that was released", "", 0, ""});
}

}  // namespace array_interface
