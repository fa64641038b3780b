#pragma once

#include <functional>
#include <memory>

#include "memory/block.hpp"

namespace array_interface {

/// How a loan is ordered with its producer's work: by its queue, by blocking here, or not at all.
enum class Sync { kWait, kBlock, kNone };

/// One interest in a block: the owner's, or a loan's with the producer's side of the order. While
/// it lasts, the block can be borrowed by its address. Used on one thread; several threads share
/// blocks and their order.
class MemoryRef {
 public:
  /// `owns`: whether it is the owner's.
  MemoryRef(std::shared_ptr<Block> block, bool owns)
      : block_(std::move(block)), pin_(block_), owns_(owns) {}
  MemoryRef(const MemoryRef&) = delete;
  MemoryRef& operator=(const MemoryRef&) = delete;
  ~MemoryRef() { End(); }

  /// Orders all work with the producer's work on a queue. Null: there is none.
  void Follow(std::shared_ptr<WorkQueue> producer, Sync sync);
  /// Orders it as another loan's work is.
  void FollowAs(const MemoryRef& lender) { Follow(lender.producer_, lender.sync_); }
  /// Sets the function that gives a reference to the producer, for as long as work on its memory is
  /// pending. It may call JavaScript's world, so it is called without the tracker's mutex.
  void set_keep(std::function<std::shared_ptr<void>()> keep) { keep_ = std::move(keep); }
  const std::function<std::shared_ptr<void>()>& keep() const { return keep_; }
  /// What keeps the producer while somebody has the result. Null: nothing does. Call without the
  /// tracker's mutex.
  std::shared_ptr<void> KeepProducer();

  /// Null once it has ended.
  const std::shared_ptr<Block>& block() const { return block_; }
  bool ended() const { return block_ == nullptr; }
  bool owns() const { return owns_; }

  /// Lets go of the block, once.
  void End();

  /// Names `queue` to consumers. It waits for all work, the producer's included. Another library's
  /// queue may be named only if it is the producer's own.
  void Export(const std::shared_ptr<WorkQueue>& queue);
  /// Makes `queue` wait for all work so far, the producer's and consumers' included. Gives the
  /// event at which that has ended. Holds no thread.
  std::shared_ptr<Event> Settle(const std::shared_ptr<WorkQueue>& queue);

 private:
  friend class Together;

  /// Checks all queues but the one that was asked just now.
  void AssertRuns(const WorkQueue& asked) const;
  void WaitForProducer(WorkQueue& queue) const;
  void Before(WorkQueue& queue, Access access) const;
  /// False: other processes do not know of it; see IpcPeers.
  bool After(const std::shared_ptr<WorkQueue>& queue, const std::shared_ptr<Event>& event,
             Access access) const;

  std::shared_ptr<Block> block_;
  Pin pin_;
  bool owns_;
  std::shared_ptr<WorkQueue> producer_;
  Sync sync_ = Sync::kNone;
  std::function<std::shared_ptr<void>()> keep_;
  std::weak_ptr<void> kept_;  ///< what that gave last
};

}  // namespace array_interface
