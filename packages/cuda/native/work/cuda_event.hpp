#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "driver/context.hpp"
#include "napi/setup.hpp"
#include "work/waitable_event.hpp"

namespace array_interface::cuda {

/// How many of a stream's events are known to be complete. The stream and its events share it.
using CompletedCount = std::atomic<std::uint64_t>;

/// An event in a stream. The driver's event behind it returns to the pool once its completion was
/// observed or nothing references it. Safe to call from any thread.
class CudaEvent final : public WaitableEvent {
 public:
  static constexpr napi_type_tag kTag{0x6a1f6f0c7d2b4c11, 0x9a5b31d2e84f0c02};

  /// The event's number among those of its stream: 1 is the first; 0 for an event outside that
  /// order. `is_in_order`: whether a later complete event implies that this one is complete.
  struct Position {
    std::shared_ptr<CompletedCount> reached;
    std::uint64_t number = 0;
    bool is_in_order = false;
  };

  /// Records the event after everything enqueued on `stream` so far, which is ordered after work in
  /// `others`. Throws DriverError.
  CudaEvent(std::shared_ptr<Context> context, StreamHandle stream, Dependencies others,
            Position position);
  /// Records the event with a driver event outside the pool: one with timing, or one in a graph.
  CudaEvent(std::shared_ptr<Context> context, StreamHandle stream, Dependencies others,
            bool timing);
  ~CudaEvent() override;

  Progress Poll() noexcept override;
  bool HasFailed() const noexcept override;
  bool Query() override;
  Dependencies HoldUp(const Context& context, StreamHandle stream) const override;
  const void* queue() const noexcept override {
    return position_.is_in_order ? position_.reached.get() : nullptr;
  }

  /// Blocks until the event is complete. Throws DriverError if work before it failed.
  void Synchronize();

  /// Returns the milliseconds from another event to this one. Both must be complete and recorded
  /// with timing. Throws DriverError.
  float Since(const CudaEvent& start) const;

 private:
  void Record(StreamHandle stream);
  /// Queries the driver. If it reports completion, also queries the contexts in `others_`.
  CallResult AskDriver() const noexcept;
  /// Queries the driver if necessary. Must be called with the lock held.
  Progress Refresh(CallResult& outcome) noexcept;
  /// Records the driver's result about the event. Must be called with the lock held.
  Progress Conclude(const CallResult& outcome) noexcept;
  void GiveBack() noexcept;

  std::shared_ptr<Context> context_;
  const Dependencies others_;
  Position position_;
  bool is_pooled_;
  mutable std::mutex mutex_;
  EventHandle handle_ = nullptr;  ///< null once returned
  int users_ = 0;                 ///< threads that use the handle without the lock
  bool is_complete_ = false;
  CallResult failure_;  ///< kSuccess if none
};

}  // namespace array_interface::cuda
