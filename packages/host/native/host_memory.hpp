#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "allocation.hpp"
#include "napi/setup.hpp"
#include "reported_bytes.hpp"

namespace array_interface {

/// Memory, and how many of its bytes this package allocated.
struct HeldMemory {
  std::shared_ptr<void> memory;
  std::size_t size;
};

/// One JavaScript object's reference to memory: to an allocation, to an array that another addon
/// exported, or to a column of Arrow. TypeScript calls it a lease. `release` or garbage collection
/// ends it. V8 is told how many of this package's bytes an environment's leases keep.
class HostMemory {
 public:
  static constexpr napi_type_tag kTag = {0x9c1d5f3a7b2e4680, 0xb54e21d7c8f90a36};

  /// `size`: bytes that this package allocated; 0 for another library's memory.
  HostMemory(Napi::Env env, std::shared_ptr<void> memory, std::size_t size)
      : env_(env), memory_(std::move(memory)), size_(size) {
    if (size_ > 0) report_ = ReportedBytes::Of(env_, memory_.get(), size_);
    if (Allocation* const own = allocation()) own->AddUser();
  }
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;
  ~HostMemory() { Release(); }

  /// Null once it has ended.
  const std::shared_ptr<void>& memory() const { return memory_; }
  /// A reference to the memory for another thread.
  HeldMemory Hold() const { return {memory_, size_}; }
  /// Notes that others, who cannot be counted, may work on the memory from now on.
  void NoteGiven() const {
    if (Allocation* const own = allocation()) own->AddUser();
  }
  /// Whether this package allocated the memory, and nobody else holds it, in any thread.
  bool IsSole() const {
    const Allocation* const own = allocation();
    return own != nullptr && own->HasOneUser();
  }
  /// Another reference to the same memory.
  std::shared_ptr<HostMemory> Share() const {
    return std::make_shared<HostMemory>(env_, memory_, size_);
  }

  void Release() {
    if (memory_ == nullptr) return;
    if (Allocation* const own = allocation()) own->RemoveUser();
    report_ = nullptr;
    memory_ = nullptr;
  }

 private:
  /// Null for another library's memory, and once it has ended.
  Allocation* allocation() const {
    return size_ == 0 ? nullptr : static_cast<Allocation*>(memory_.get());
  }

  napi_env env_;
  std::shared_ptr<void> memory_;
  std::shared_ptr<ReportedBytes> report_;
  std::size_t size_;
};

}  // namespace array_interface
