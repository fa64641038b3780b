#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "memory/block.hpp"

namespace array_interface {

/// How a loan is ordered with its producer's work: by events on its queue, by blocking the calling
/// thread, or not at all.
enum class Sync { kWait, kBlock, kNone };

/// A counted reference to a block: the owner's, or a loan's with the producer's queue. While it
/// lasts, the block can be borrowed by its address. Each is used on one thread; blocks and their
/// trackers are shared between threads.
class MemoryRef {
 public:
  /// `owns`: whether this is the owner's reference.
  MemoryRef(std::shared_ptr<Block> block, bool owns)
      : block_(std::move(block)), pin_(block_), owns_(owns) {}
  MemoryRef(const MemoryRef&) = delete;
  MemoryRef& operator=(const MemoryRef&) = delete;
  ~MemoryRef() { End(); }

  /// Orders all work with the producer's work on a queue. Null if the producer has none.
  void Follow(std::shared_ptr<WorkQueue> producer, Sync sync);
  /// Orders the work after the same work as another loan's, in the same way unless `sync` says how.
  void FollowAs(const MemoryRef& lender, std::optional<Sync> sync) {
    Follow(lender.producer_, sync.value_or(lender.sync_));
  }
  /// Sets the function that returns a reference to the producer, which is kept while work on its
  /// memory is pending. The function may call into JavaScript, so it is called without the
  /// tracker's mutex.
  void set_keep(std::function<std::shared_ptr<void>()> keep) { keep_ = std::move(keep); }
  const std::function<std::shared_ptr<void>()>& keep() const { return keep_; }
  /// Returns a reference that keeps the producer alive. Null if there is nothing to keep. Must be
  /// called without the tracker's mutex.
  std::shared_ptr<void> KeepProducer();

  /// Null once it has ended.
  const std::shared_ptr<Block>& block() const { return block_; }
  bool ended() const { return block_ == nullptr; }
  bool owns() const { return owns_; }

  /// Releases the block. Later calls do nothing.
  void End();

  /// Exports `queue` to consumers. The queue waits for all work, the producer's included. A foreign
  /// queue may be exported only if it is the producer's own.
  void Export(const std::shared_ptr<WorkQueue>& queue);
  /// Whether this is the only reference to memory that this library allocated, and all work on it
  /// is known to have ended. Does not block.
  bool IsAtRest() const;
  /// Makes `queue` wait for all work so far, including the producer's and consumers'. Returns an
  /// event that completes when that work has ended. Does not block a thread.
  std::shared_ptr<Event> Settle(const std::shared_ptr<WorkQueue>& queue);

 private:
  friend class LockedUses;

  /// Checks all queues except `asked`, which was checked just now.
  void AssertRuns(const WorkQueue& asked) const;
  void WaitForProducer(WorkQueue& queue) const;
  void Before(WorkQueue& queue, Access access) const;
  /// Returns false if other processes do not know of the work; see IpcPeers::After.
  bool After(const std::shared_ptr<WorkQueue>& queue, const std::shared_ptr<Event>& event,
             Access access) const;

  std::shared_ptr<Block> block_;
  Pin pin_;
  bool owns_;
  std::shared_ptr<WorkQueue> producer_;
  Sync sync_ = Sync::kNone;
  std::function<std::shared_ptr<void>()> keep_;
  std::weak_ptr<void> kept_;  ///< the last result of keep_
};

}  // namespace array_interface
