#pragma once

#include <functional>
#include <memory>

#include "memory/block.hpp"

namespace array_interface {

/// How a loan is ordered with its producer's work: by its queue, by waiting here, or by nobody.
enum class Sync { kWait, kBlock, kNone };

/// One interest in a block: its owner's, or a loan's with the producer's half of the order. Used on
/// one thread; blocks and their order are for all.
class Holder {
 public:
  /// `owns`: once this one has ended, nobody new may borrow the block.
  Holder(std::shared_ptr<Block> block, bool owns) : block_(std::move(block)), owns_(owns) {}
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() { End(); }

  /// Orders all work with what the producer has on a queue; null: nothing.
  void Follow(std::shared_ptr<WorkQueue> producer, Sync sync);
  /// What gives a reference to the producer, for as long as work on its memory is pending.
  void set_keep(std::function<std::shared_ptr<void>()> keep) { keep_ = std::move(keep); }

  /// Null once it has ended.
  const std::shared_ptr<Block>& block() const { return block_; }
  bool ended() const { return block_ == nullptr; }
  bool owns() const { return owns_; }

  /// Lets go of the block, once.
  void End();

  /// Names `queue` to consumers: it waits for all work, the producer's included. A stranger's queue
  /// may be named as the producer's own only.
  void Export(const std::shared_ptr<WorkQueue>& queue);
  /// Makes `queue` wait for all work so far, the producer's and consumers' included: the point at
  /// which that has ended. Holds no thread.
  std::shared_ptr<Point> Settle(const std::shared_ptr<WorkQueue>& queue);
  /// Notes work that others gave a queue, as if we had.
  void Use(const std::shared_ptr<WorkQueue>& queue);

 private:
  friend void Work(const std::shared_ptr<WorkQueue>&, Holder&, Holder&,
                   const std::function<void()>&);

  /// Of all queues but the one that was asked just now.
  void AssertRuns(const WorkQueue& asked) const;
  void WaitForProducer(WorkQueue& queue) const;
  void Before(WorkQueue& queue, Access access) const;
  void After(const std::shared_ptr<WorkQueue>& queue, const std::shared_ptr<Point>& point,
             Access access) const;

  std::shared_ptr<Block> block_;
  bool owns_;
  std::shared_ptr<WorkQueue> producer_;
  Sync sync_ = Sync::kNone;
  std::function<std::shared_ptr<void>()> keep_;
};

/// Has `enqueue` give a queue work that writes `target` and reads `origin`, in the order of all
/// other work on both. Throws what the queue or `enqueue` throws: nothing was enqueued then, or it
/// was waited for. The holders have not ended, and may be one.
void Work(const std::shared_ptr<WorkQueue>& queue, Holder& target, Holder& origin,
          const std::function<void()>& enqueue);

}  // namespace array_interface
