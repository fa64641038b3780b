#pragma once

#include <memory>

#include "capsule/abi.hpp"

namespace array_interface {

/// What a capsule of ours holds: memory, and the queue that orders the work on it. Each backend
/// derives its own. It is used and ends on any thread, also when no environment is left.
class ExportedMemory {
 public:
  ExportedMemory() = default;
  virtual ~ExportedMemory() = default;
  ExportedMemory(const ExportedMemory&) = delete;
  ExportedMemory& operator=(const ExportedMemory&) = delete;

  /// Makes our later work on the memory wait for what a consumer has enqueued. Never throws.
  virtual void Consumed(ai_order_kind, void*) noexcept {}
};

/// How a consumer gets behind the work on the memory. The handles live as long as what is held.
struct ExportOrder {
  ai_order_kind kind = AI_READY;
  void* handle = nullptr;
  void* context = nullptr;
  /// Whether `ExportedMemory::Consumed` does anything.
  bool hears = false;
};

/// A capsule of an array, as core's `CapsuleFields` describe it.
Napi::Value Give(Napi::Env env, const Napi::Value& fields, std::unique_ptr<ExportedMemory> held,
                 const ExportOrder& order);

}  // namespace array_interface
