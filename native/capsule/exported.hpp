#pragma once

#include <cstddef>
#include <memory>

#include "capsule/abi.hpp"

namespace array_interface {

/// What one of this library's capsules owns: the memory, and the queue that orders the work on it.
/// Each backend derives its own class. Objects are used and destroyed on any thread, even after
/// their environment has ended.
class ExportedMemory {
 public:
  ExportedMemory() = default;
  virtual ~ExportedMemory() = default;
  ExportedMemory(const ExportedMemory&) = delete;
  ExportedMemory& operator=(const ExportedMemory&) = delete;

  /// Makes this library's later work on the memory wait for what a consumer has enqueued. Never
  /// throws.
  virtual void Consumed(ai_order_kind, void*) noexcept {}
};

/// How a consumer orders its work after the work on the memory. The handles live as long as the
/// exported memory.
struct ExportOrder {
  ai_order_kind kind = AI_READY;
  void* handle = nullptr;
  void* context = nullptr;
  /// Whether `ExportedMemory::Consumed` does anything.
  bool hears = false;
};

/// Returns a capsule of the array that the arguments from `first` on, core's `CapsuleFields`,
/// describe.
Napi::Value Give(const Napi::CallbackInfo& info, std::size_t first,
                 std::unique_ptr<ExportedMemory> held, const ExportOrder& order);

}  // namespace array_interface
