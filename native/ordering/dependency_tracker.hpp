#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "ordering/event.hpp"
#include "ordering/work_queue.hpp"

namespace array_interface {

enum class Access { kRead, kWrite };

/// Work that must end before a memory can be freed.
struct PendingWork {
  Events events;
  /// Queues that have not recorded an event after their last work yet. A queue that is being
  /// captured records none until the capture ends, and a driver may refuse for a while.
  std::vector<std::shared_ptr<WorkQueue>> unmarked;

  bool IsEmpty() const { return events.empty() && unmarked.empty(); }
  /// Polls everything again. Returns kComplete if nothing is left, and kUnknown if the driver did
  /// not report the progress of all of it.
  Progress Poll() noexcept;
};

/// Tracks the order of all work on one memory. A write waits for all earlier work, and all later
/// work waits for it. A read waits for the last write only. A queue that was exported to consumers
/// may receive work that this library does not see, so work on other queues waits for everything
/// there. The caller locks `mutex` from Before to After, so that no other thread's work comes in
/// between.
class DependencyTracker {
 public:
  std::mutex& mutex() const { return mutex_; }

  /// Throws ERR_CAPTURE if Before would record an event on a queue that is being captured. Skips
  /// `asked`, if not null, which the caller has just checked.
  void AssertRuns(const WorkQueue* asked = nullptr) const;
  /// Makes the next work on `queue` start after everything that work with this access depends on.
  void Before(WorkQueue& queue, Access access);
  /// Records work that was enqueued on `queue` and that `event` completes after.
  void After(const std::shared_ptr<WorkQueue>& queue, const std::shared_ptr<Event>& event,
             Access access);
  /// Makes `queue` wait for all work.
  void Gather(WorkQueue& queue) const;
  /// Makes `queue` wait for all work, since it will be exported to consumers. From now on, this
  /// library's work on other queues waits for what consumers enqueue there. The tracker keeps the
  /// queue until it is over.
  void Export(const std::shared_ptr<WorkQueue>& queue);
  /// Replaces each exported queue that is over by an event, so that such queues do not accumulate.
  /// Adds to `gone` what the caller has to release without the mutex, because destroying a queue
  /// may block.
  void ReplaceOver(std::vector<std::shared_ptr<void>>& gone);

  /// Records that `queue` may have received work without an event; `error` says why. Later work is
  /// ordered after it, or is refused with that error. The memory is freed after it, or never.
  void NoteUnknown(const std::shared_ptr<WorkQueue>& queue, std::exception_ptr error);

  /// Copies all pending work of the other tracker into this one, which must be empty. Must be
  /// called with the other's mutex held.
  void Copy(const DependencyTracker& other);

  /// Returns the events after the last work, including failed work, for callers that need to know
  /// how it ended.
  Events Last() const;
  /// Whether all work is known to have ended without a failure, and no queue was exported on which
  /// consumers could enqueue more.
  bool IsAtRest() const;
  /// Returns the events that are not known to be complete. Records no event, so consumers' work is
  /// not covered.
  Events Pending() const;
  /// Drops the accesses that have ended and did not fail. Returns what they kept, to be released
  /// without the mutex: destroying a queue may block on other libraries' work.
  std::vector<std::shared_ptr<void>> TakeEnded();
  /// Returns the events that are not known to be complete, and events after consumers' work on
  /// exported queues. The memory must not be used afterwards.
  PendingWork End();

 private:
  struct Submission {
    std::shared_ptr<WorkQueue> queue;
    std::shared_ptr<Event> event;
  };
  using Submissions = std::vector<Submission>;

  static void TakeEnded(Submissions& submissions, std::vector<std::shared_ptr<void>>& taken);
  static void WaitFor(const Submissions& submissions, WorkQueue& queue);
  void WaitForConsumers(WorkQueue& queue) const;
  /// Whether it is complete and did not fail. A failed event stays, so that a later caller sees the
  /// failure.
  static bool HasEnded(const Submission& submission);

  mutable std::mutex mutex_;
  Submissions writes_;    ///< at most one
  Submissions reads_;     ///< since the last write, at most one for each queue
  Submissions consumed_;  ///< consumers' work on queues that are over; without a queue
  /// Queues that were exported to consumers, or whose work has no event.
  std::vector<std::shared_ptr<WorkQueue>> exported_;
};

}  // namespace array_interface
