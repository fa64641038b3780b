#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "memory/allocation.hpp"
#include "ordering/dependency_tracker.hpp"

namespace array_interface {

class CachingAllocator;

/// Other processes that use the memory. Call with the tracker's mutex held, except HaveLeft.
class IpcPeers {
 public:
  virtual ~IpcPeers() = default;
  /// Makes the queue wait for their work. Throws before anything is enqueued.
  virtual void Before(WorkQueue& queue) = 0;
  /// Makes their next work wait for the queue's work. False: they cannot be told of it now, and
  /// Tell has to be called until they are.
  virtual bool After(WorkQueue& queue) = 0;
  /// Makes their next work wait for what they have not been told of. True: there is none, or it has
  /// ended.
  virtual bool Tell() = 0;
  /// Their events that are not reached, for code that waits for them; the end of the memory does
  /// not.
  virtual Events Pending() = 0;
  /// Whether none of them has the memory or pending work on it any more, and none can come. Never
  /// waits. From any thread.
  virtual bool HaveLeft() noexcept = 0;
};

/// A piece of memory, allocated or borrowed, with the order of all work on it. Its owner and its
/// loans, in any thread, share one block, and a shared pointer to it is what keeps the memory and
/// what that needs; the last to let go hands it to the caching allocator. From any thread.
class Block {
 public:
  /// A block of our own memory, and what has to live until all work on it has ended. The caching
  /// allocator is never destroyed.
  static std::shared_ptr<Block> Of(CachingAllocator& allocator,
                                   std::unique_ptr<Allocation> allocation,
                                   std::shared_ptr<void> kept = nullptr);
  /// A block of another library's memory, which we do not give back.
  static std::shared_ptr<Block> Borrowed(CachingAllocator& allocator,
                                         std::shared_ptr<void> kept = nullptr);
  /// The same block for a loan that came with an object. Once the last copy of the result goes, on
  /// any thread, the object stays until the work has ended that the block then has, consumers'
  /// included.
  static std::shared_ptr<Block> With(std::shared_ptr<Block> block, std::shared_ptr<void> object);

  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() = default;

  DependencyTracker& dependencies() { return dependencies_; }
  /// Null for another library's memory.
  Allocation* allocation() const { return allocation_.get(); }

  /// Call once, with the tracker's mutex held.
  void set_peers(std::shared_ptr<IpcPeers> peers) { peers_ = std::move(peers); }
  IpcPeers* peers() const { return peers_.get(); }

  /// From now on the block can be borrowed by nobody new, whoever vouches for it.
  void GiveUp() { given_up_ = true; }
  /// Whether its address is good for nothing: nobody vouches for it (any more).
  bool given_up() const { return given_up_ || pins_ == 0; }

  /// Keeps an object until the work on the block has ended; the caching allocator looks for that.
  /// Does nothing while another object is kept. Call with the tracker's mutex held.
  void KeepWhilePending(const std::shared_ptr<Block>& self, std::shared_ptr<void> kept);

  /// Events of everybody's work that are not reached. Call with the tracker's mutex held.
  Events Pending() const;

 private:
  friend class PendingFree;
  friend class PendingRelease;
  friend class Pin;

  Block(CachingAllocator& allocator, std::unique_ptr<Allocation> allocation,
        std::shared_ptr<void> kept)
      : allocator_(allocator), allocation_(std::move(allocation)), kept_(std::move(kept)) {}
  static std::shared_ptr<Block> Share(Block* block);
  void PassOn(Block* rest) noexcept;
  std::shared_ptr<void> TakeKeptWhilePending() { return std::move(kept_while_pending_); }

  CachingAllocator& allocator_;
  DependencyTracker dependencies_;
  std::unique_ptr<Allocation> allocation_;
  std::shared_ptr<IpcPeers> peers_;
  std::shared_ptr<void> kept_;
  std::shared_ptr<void> kept_while_pending_;
  std::atomic<bool> given_up_{false};
  std::atomic<int> pins_{0};
};

/// Keeps an object until the process ends, since nobody can tell whether a device or other code
/// still reaches what it stands for.
void KeepForGood(std::shared_ptr<void> kept);

/// Keeps a block, and its address good for borrowing: its owner's, a loan's, a capsule's. From any
/// thread.
class Pin {
 public:
  explicit Pin(std::shared_ptr<Block> block) : block_(std::move(block)) { ++block_->pins_; }
  ~Pin() { End(); }
  const std::shared_ptr<Block>& block() const { return block_; }
  Pin(Pin&& other) noexcept = default;
  Pin& operator=(Pin&&) = delete;
  Pin(const Pin&) = delete;
  Pin& operator=(const Pin&) = delete;

  /// Lets go of the block, whose address is no longer good if this was the last.
  void End() {
    if (block_ == nullptr) return;
    --block_->pins_;
    block_ = nullptr;
  }

 private:
  std::shared_ptr<Block> block_;
};

}  // namespace array_interface
