#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace array_interface {

/// What is known of an event.
enum class Progress {
  kPending,
  kComplete,
  kUnknown,  ///< The driver refuses to say. It is asked again; until then all may be pending.
};

/// An event in a queue's work. It is reached once everything before it has ended or failed.
class Event {
 public:
  virtual ~Event() = default;
  /// Asks the driver, unless it is known to be complete. Never throws and never waits. From any
  /// thread.
  virtual Progress Poll() noexcept = 0;
  bool IsComplete() noexcept { return Poll() == Progress::kComplete; }
  /// Whether the work before it is known to have failed; then it is reached.
  virtual bool HasFailed() const noexcept { return false; }
};

using Events = std::vector<std::shared_ptr<Event>>;

/// Drops the events that are complete. Reached: none is left. Unknown: one of them is.
inline Progress DropComplete(Events& events) noexcept {
  Progress all = Progress::kComplete;
  std::size_t left = 0;
  for (auto& event : events) {
    const Progress progress = event->Poll();
    if (progress == Progress::kComplete) continue;
    if (all != Progress::kUnknown) all = progress;
    events[left++].swap(event);
  }
  events.resize(left);
  return all;
}

}  // namespace array_interface
