#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "order/point.hpp"
#include "order/work_queue.hpp"

namespace array_interface {

enum class Access { kRead, kWrite };

/// What is still to be waited for when a memory ends.
struct Rest {
  Points points;
  /// Queues that have given no point after their last work yet: those that are being captured give
  /// none until they run again, and a driver may refuse for a while.
  std::vector<std::shared_ptr<WorkQueue>> unmarked;

  bool IsEmpty() const { return points.empty() && unmarked.empty(); }
  /// Asks all of them again. Reached: nothing is left. Unknown: one of them does not tell.
  Progress Ask() noexcept;
};

/// The order of all work on one memory. A write waits for all earlier work, and all later work
/// waits for it. A read waits for the last write only. A queue that was named to consumers may get
/// work that we do not see, so work on other queues waits for everything there. The caller holds
/// `mutex` from Before to After, so that no other thread's work comes in between.
class Order {
 public:
  std::mutex& mutex() const { return mutex_; }

  /// Throws ERR_CAPTURE where Before would mark a point on a queue that is being captured. `asked`,
  /// if any, was asked just now and is left out.
  void AssertRuns(const WorkQueue* asked = nullptr) const;
  /// Makes `queue` start its next work after everything that such work has to wait for.
  void Before(WorkQueue& queue, Access access);
  /// Notes that `queue` got work, which ends at `point`.
  void After(const std::shared_ptr<WorkQueue>& queue, const std::shared_ptr<Point>& point,
             Access access);
  /// Makes `queue` wait for all work.
  void Gather(WorkQueue& queue) const;
  /// Makes `queue` wait for all work, since it will be named to consumers. From now on our work on
  /// other queues waits for what they put there. The order keeps the queue until that is over.
  void Export(const std::shared_ptr<WorkQueue>& queue);
  /// Puts a point in place of each of these queues that is over, so that they do not become many.
  /// Adds to `gone` what is to be let go of without the mutex: a queue that ends may wait.
  void ReplaceOver(std::vector<std::shared_ptr<void>>& gone);

  /// Notes that `queue` may have got work that has no point, as `error` says. Later work comes
  /// after it, or is refused with that error; the end of the memory comes after it, or never.
  void NoteUnknown(const std::shared_ptr<WorkQueue>& queue, std::exception_ptr error);

  /// Makes this order, of nothing so far, wait in the end for all that the other one has. Call with
  /// the other's mutex held.
  void Copy(const Order& other);

  /// Points after the last work, failed work included, for callers who want to know how it ended.
  Points Last() const;
  /// Points that are not known to be reached. It marks none, so consumers' work is not among them.
  Points Pending() const;
  /// Forgets the uses that have ended and did not fail. Gives what they kept, to be let go of
  /// without the mutex: a queue that ends may wait for others' work.
  std::vector<std::shared_ptr<void>> TakeEnded();
  /// Points that are not known to be reached, with points after consumers' work on the queues that
  /// were named to them. The memory is not used any more.
  Rest End();

 private:
  struct Use {
    std::shared_ptr<WorkQueue> queue;
    std::shared_ptr<Point> point;
  };
  using Uses = std::vector<Use>;

  static void TakeEnded(Uses& uses, std::vector<std::shared_ptr<void>>& taken);
  static void WaitFor(const Uses& uses, WorkQueue& queue);
  void WaitForConsumers(WorkQueue& queue) const;
  /// A failed point stays, so that a later caller hears of it.
  static bool HasEnded(const Use& use);

  mutable std::mutex mutex_;
  Uses writes_;    ///< at most one
  Uses reads_;     ///< since the last write, at most one of each queue
  Uses consumed_;  ///< what consumers did on queues that are over; without a queue
  /// Those that were named to consumers, or whose work has no point.
  std::vector<std::shared_ptr<WorkQueue>> exported_;
};

}  // namespace array_interface
