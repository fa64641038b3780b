#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "order/point.hpp"
#include "order/work_queue.hpp"

namespace array_interface {

enum class Access { kRead, kWrite };

/// What is still to be waited for when a memory goes.
struct Rest {
  Points points;
  /// Queues that were named to consumers and are being captured: no point can be marked there until
  /// they run again.
  std::vector<std::shared_ptr<WorkQueue>> captured;
};

/// The order of all work on one memory. A write waits for all earlier work and is waited for by all
/// later; a read waits for the last write only. A queue that was named to consumers may get work
/// that we do not see, so everything on other queues waits for whatever it has. Whoever calls holds
/// `mutex` from Before to After, so that nothing of another thread comes in between.
class Order {
 public:
  std::mutex& mutex() const { return mutex_; }

  /// Throws ERR_CAPTURE where Before would mark a point on a queue that is being captured. `asked`,
  /// if any, is one that was asked just now.
  void AssertRuns(const WorkQueue* asked = nullptr) const;
  /// Makes `queue` start its next work after whatever that work has to wait for.
  void Before(WorkQueue& queue, Access access);
  /// Notes that `queue` was given work, which ends at `point`.
  void After(const std::shared_ptr<WorkQueue>& queue, const std::shared_ptr<Point>& point,
             Access access);
  /// Makes `queue` wait for everything.
  void Gather(WorkQueue& queue) const;
  /// The same for one that will be named to consumers; from now on our work on other queues waits
  /// for what they put there. The queue is kept as long as the memory.
  void Export(const std::shared_ptr<WorkQueue>& queue);

  /// Points after the last work, those of work that failed included: for whoever asks how it ended.
  Points Last() const;
  /// Points that are not reached yet. Marks none, so consumers' work is not among them.
  Points Pending();
  /// The same with points after what consumers have put on the queues that they were told of; the
  /// memory is used no more.
  Rest End();

 private:
  struct Use {
    std::shared_ptr<WorkQueue> queue;
    std::shared_ptr<Point> point;
  };
  using Uses = std::vector<Use>;

  static void WaitFor(const Uses& uses, WorkQueue& queue);
  void WaitForConsumers(WorkQueue& queue) const;
  static void Forget(Uses& uses);

  mutable std::mutex mutex_;
  Uses writes_;  ///< at most one
  Uses reads_;   ///< since the last write, at most one of each queue
  std::vector<std::shared_ptr<WorkQueue>> exported_;
};

}  // namespace array_interface
