#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "ordering/event.hpp"
#include "ordering/work_queue.hpp"

namespace array_interface {

enum class Access { kRead, kWrite };

/// What is still to be waited for when a memory ends.
struct PendingWork {
  Events events;
  /// Queues that have given no event after their last work yet: those that are being captured give
  /// none until they run again, and a driver may refuse for a while.
  std::vector<std::shared_ptr<WorkQueue>> unmarked;

  bool IsEmpty() const { return events.empty() && unmarked.empty(); }
  /// Asks all of them again. Reached: nothing is left. Unknown: one of them does not tell.
  Progress Poll() noexcept;
};

/// The order of all work on one memory. A write waits for all earlier work, and all later work
/// waits for it. A read waits for the last write only. A queue that was named to consumers may get
/// work that we do not see, so work on other queues waits for everything there. The caller holds
/// `mutex` from Before to After, so that no other thread's work comes in between.
class DependencyTracker {
 public:
  std::mutex& mutex() const { return mutex_; }

  /// Throws ERR_CAPTURE where Before would mark an event on a queue that is being captured.
  /// `asked`, if any, was asked just now and is left out.
  void AssertRuns(const WorkQueue* asked = nullptr) const;
  /// Makes `queue` start its next work after everything that such work has to wait for.
  void Before(WorkQueue& queue, Access access);
  /// Notes that `queue` got work, which ends at `event`.
  void After(const std::shared_ptr<WorkQueue>& queue, const std::shared_ptr<Event>& event,
             Access access);
  /// Makes `queue` wait for all work.
  void Gather(WorkQueue& queue) const;
  /// Makes `queue` wait for all work, since it will be named to consumers. From now on our work on
  /// other queues waits for what they put there. The order keeps the queue until that is over.
  void Export(const std::shared_ptr<WorkQueue>& queue);
  /// Puts an event in place of each of these queues that is over, so that they do not become many.
  /// Adds to `gone` what is to be let go of without the mutex: a queue that ends may wait.
  void ReplaceOver(std::vector<std::shared_ptr<void>>& gone);

  /// Notes that `queue` may have got work that has no event, as `error` says. Later work comes
  /// after it, or is refused with that error; the end of the memory comes after it, or never.
  void NoteUnknown(const std::shared_ptr<WorkQueue>& queue, std::exception_ptr error);

  /// Makes this order, of nothing so far, wait in the end for all that the other one has. Call with
  /// the other's mutex held.
  void Copy(const DependencyTracker& other);

  /// Events after the last work, failed work included, for callers who want to know how it ended.
  Events Last() const;
  /// Events that are not known to be complete. It marks none, so consumers' work is not among them.
  Events Pending() const;
  /// Forgets the uses that have ended and did not fail. Gives what they kept, to be let go of
  /// without the mutex: a queue that ends may wait for others' work.
  std::vector<std::shared_ptr<void>> TakeEnded();
  /// Events that are not known to be complete, with events after consumers' work on the queues that
  /// were named to them. The memory is not used any more.
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
  /// A failed event stays, so that a later caller hears of it.
  static bool HasEnded(const Submission& submission);

  mutable std::mutex mutex_;
  Submissions writes_;    ///< at most one
  Submissions reads_;     ///< since the last write, at most one of each queue
  Submissions consumed_;  ///< what consumers did on queues that are over; without a queue
  /// Those that were named to consumers, or whose work has no event.
  std::vector<std::shared_ptr<WorkQueue>> exported_;
};

}  // namespace array_interface
