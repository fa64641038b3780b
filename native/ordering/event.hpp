#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace array_interface {

/// The state of an event, as far as it is known.
enum class Progress {
  kPending,
  kComplete,
  kUnknown,  ///< The driver does not report it. Poll again; until then, assume that it is pending.
};

/// An event in a queue's work. It completes once everything before it has ended or failed.
class Event {
 public:
  virtual ~Event() = default;
  /// Queries the driver, unless the event is known to be complete. Never throws and does not block.
  /// Safe to call from any thread.
  virtual Progress Poll() noexcept = 0;
  bool IsComplete() noexcept { return Poll() == Progress::kComplete; }
  /// Whether the work before it is known to have failed. Such an event is complete.
  virtual bool HasFailed() const noexcept { return false; }
};

using Events = std::vector<std::shared_ptr<Event>>;

/// Drops the events that are complete. Returns kComplete if none is left, and kUnknown if the state
/// of any is unknown.
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
