#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "napi/setup.hpp"

namespace array_interface {

/// Memory, and how many of its bytes are ours.
struct HeldMemory {
  std::shared_ptr<void> memory;
  std::size_t size;
};

/// One JavaScript object's share of memory: of an allocation, or of an array that another addon
/// gave us. It ends by `release`, or by garbage collection; V8 is told how much memory of ours it
/// keeps.
class HostMemory {
 public:
  static constexpr napi_type_tag kTag = {0x9c1d5f3a7b2e4680, 0xb54e21d7c8f90a36};

  /// `size`: bytes of ours; 0 for another's memory.
  HostMemory(Napi::Env env, std::shared_ptr<void> memory, std::size_t size)
      : env_(env), memory_(std::move(memory)), size_(static_cast<std::int64_t>(size)) {
    Report(size_);
  }
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;
  ~HostMemory() { Release(); }

  /// Null once it has ended.
  const std::shared_ptr<void>& memory() const { return memory_; }
  /// The memory for somebody on another thread.
  HeldMemory Hold() const { return {memory_, static_cast<std::size_t>(size_)}; }
  /// Another share of the same memory.
  std::shared_ptr<HostMemory> Share() const {
    return std::make_shared<HostMemory>(env_, memory_, static_cast<std::size_t>(size_));
  }

  void Release() {
    if (memory_ == nullptr) return;
    Report(-size_);
    memory_ = nullptr;
  }

 private:
  void Report(std::int64_t change) {
    if (change == 0) return;
    std::int64_t total = 0;
    napi_adjust_external_memory(env_, change, &total);
  }

  napi_env env_;
  std::shared_ptr<void> memory_;
  std::int64_t size_;
};

}  // namespace array_interface
