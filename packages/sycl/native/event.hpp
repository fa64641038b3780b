#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>

#include "napi/waiter.hpp"
#include "reference.hpp"

namespace array_interface::sycl {

/// When the runtime got a command, began it and ended it.
struct EventTimes {
  std::uint64_t submitted;
  std::uint64_t started;
  std::uint64_t ended;
};

/// A point in a queue's work. Safe from any thread.
class Event {
 public:
  static constexpr napi_type_tag kTag{0x8f1f6a0c5d2b4e31u, 0x9b7c2d90a4e15f63u};

  Event(const Dpctl& dpctl, EventReference reference);
  /// An error that nobody was told of goes to everybody who listens for such.
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void* get() const { return reference_.get(); }

  /// How many are alive in this process.
  static std::size_t count() { return count_; }

  /// Whether the point is reached. Does not wait. Throws SyclError when the work before it failed,
  /// whoever asks and however often.
  bool Query();
  /// Blocks until the point is reached. Throws as Query does.
  void Wait();
  /// Blocks until the point is reached, and throws nothing.
  void WaitQuietly();
  /// The runtime's word for how far the work is: submitted, running or complete.
  EventStatus Status() const;
  /// Times of the device's clock, in nanoseconds, on a queue that notes them. Throws SyclError
  /// ERR_ARGUMENT for any other, and before the point is reached.
  EventTimes Times();
  /// What Query says, for a waiter's thread: never throws, and says no while the process exits.
  Poll Look();

 private:
  void Finish();
  std::optional<SyclError> WaitForError();
  /// Throws what the work before the point failed with, if it did.
  void Tell();

  static std::atomic<std::size_t> count_;

  const Dpctl& dpctl_;
  EventReference reference_;
  std::mutex ending_;
  std::optional<SyclError> error_;  // written before `ended_`
  std::atomic<bool> ended_{false};
  int code_ = 0;  // of the error, where the runtime gave one
  std::atomic<bool> told_{false};
};

}  // namespace array_interface::sycl
