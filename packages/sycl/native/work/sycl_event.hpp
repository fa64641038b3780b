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

/// When the device received a command, began it and ended it.
struct EventTimes {
  std::uint64_t submitted;
  std::uint64_t started;
  std::uint64_t ended;
};

/// An event in a queue's work. It lets go of the runtime's event as soon as that has ended, and
/// keeps the error of the work for callers. Safe from any thread.
class SyclEvent final : public Event {
 public:
  static constexpr napi_type_tag kTag{0x8f1f6a0c5d2b4e31u, 0x9b7c2d90a4e15f63u};

  /// Of no event: an event that is complete. `has_times`: its queue has times. `queue`: see below.
  SyclEvent(const Dpctl& dpctl, EventReference reference, bool has_times = false,
            const void* queue = nullptr);
  /// Tells all subscribers of an error that nobody was told of.
  ~SyclEvent() override;
  SyclEvent(const SyclEvent&) = delete;
  SyclEvent& operator=(const SyclEvent&) = delete;

  /// The runtime's event. Null once it has ended.
  std::shared_ptr<EventReference> native() const;

  /// An address that the events of one queue share, which are reached in order. Null for an event
  /// without such an order.
  const void* queue() const { return queue_; }

  /// How many of the runtime's events this process holds.
  static std::size_t count() { return count_; }

  /// Whether the work before the event has ended or failed. Unknown also while the process exits.
  Progress Poll() noexcept override;
  bool HasFailed() const noexcept override { return ended_ && error_.has_value(); }
  /// Whether the event is complete. Does not wait. Throws SyclError when the work before it failed,
  /// to every caller and each time.
  bool Query();
  /// Blocks until the event is complete. Throws as Query does.
  void Wait();
  /// The runtime's status of the work: submitted, running or complete.
  EventStatus Status() const;
  /// Times of the device's clock, in nanoseconds. Throws SyclError ERR_ARGUMENT for a queue without
  /// times, and before the event is complete.
  EventTimes Times();
  /// Query for a waiter's thread: never throws, and says no while the process exits.
  PollResult Look();

 private:
  bool SeeWhetherEnded();
  void Finish();
  /// Throws SyclError where the runtime refuses to wait, and does not say that the work has ended.
  std::optional<SyclError> WaitForError(void* event);
  EventTimes ReadTimes(void* event) const;
  /// Throws the error of the work before the event, if it failed.
  void Tell();

  static std::atomic<std::size_t> count_;

  const Dpctl& dpctl_;
  const bool has_times_;
  const void* const queue_;
  mutable std::mutex native_mutex_;  // of native_ alone: never held in the runtime
  std::shared_ptr<EventReference> native_;
  std::mutex ending_;
  std::optional<SyclError> error_;  // this and what follows is written before `ended_`
  EventTimes times_{0, 0, 0};
  int code_ = 0;  // of the error, where the runtime gave one
  std::atomic<bool> ended_{false};
  std::atomic<bool> told_{false};
};

}  // namespace array_interface::sycl
