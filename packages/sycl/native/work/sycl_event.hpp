#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "driver/reference.hpp"
#include "napi/promise_settler.hpp"
#include "ordering/event.hpp"

namespace array_interface::sycl {

/// When the device received, started and completed a command.
struct EventTimes {
  std::uint64_t submitted;
  std::uint64_t started;
  std::uint64_t ended;
};

/// An event of a queue. Releases the runtime's event as soon as that has completed, and keeps the
/// error of the work for callers. Safe to use from any thread.
class SyclEvent final : public Event {
 public:
  static constexpr napi_type_tag kTag{0x8f1f6a0c5d2b4e31u, 0x9b7c2d90a4e15f63u};

  /// Without a reference: an event that is complete. `has_times`: whether its queue has profiling.
  /// `queue`: returned by queue().
  SyclEvent(const Dpctl& dpctl, EventReference reference, bool has_times = false,
            const void* queue = nullptr);
  /// Calls all subscribers with an error that no caller received.
  ~SyclEvent() override;

  /// The runtime's event. Null once it has completed.
  std::shared_ptr<EventReference> native() const;

  /// An address that identifies the queue whose events complete in order. Null for an event without
  /// such an order.
  const void* queue() const { return queue_; }

  /// The number of the runtime's events that this process holds.
  static std::size_t count() { return count_; }

  /// Whether the work before the event has ended or failed. Unknown while the process exits, too.
  Progress Poll() noexcept override;
  bool HasFailed() const noexcept override { return ended_ && error_.has_value(); }
  /// Returns true once the event is complete. Does not block. Throws SyclError if the work before
  /// it failed, to every caller and each time.
  bool Query();
  /// Blocks until the event is complete. Throws as Query does.
  void Synchronize();
  /// The runtime's status of the work: submitted, running or complete.
  EventStatus Status() const;
  /// Times of the device's clock, in nanoseconds. Throws SyclError ERR_ARGUMENT for a queue without
  /// profiling, and before the event is complete.
  EventTimes Times();
  /// Query for a settler's thread. Never throws, and reports pending while the process exits.
  PollResult TryQuery();

 private:
  bool SeeWhetherEnded();
  void Finish();
  /// Throws SyclError if the runtime refuses to wait and does not report that the work has ended.
  std::optional<SyclError> WaitForError(void* event);
  EventTimes ReadTimes(void* event) const;
  /// Throws the error of the work before the event, if it failed.
  void Tell();

  static std::atomic<std::size_t> count_;

  const Dpctl& dpctl_;
  const bool has_times_;
  const void* const queue_;
  mutable std::mutex
      native_mutex_;  // protects native_ only; never held during calls of the runtime
  std::shared_ptr<EventReference> native_;
  std::mutex ending_;
  std::optional<SyclError> error_;  // this and the members below are written before `ended_`
  EventTimes times_{0, 0, 0};
  int code_ = 0;  // of the error, if the runtime reported one
  std::atomic<bool> ended_{false};
  std::atomic<bool> told_{false};
};

}  // namespace array_interface::sycl
