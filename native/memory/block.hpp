#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "memory/allocation.hpp"
#include "ordering/dependency_tracker.hpp"

namespace array_interface {

class CachingAllocator;

/// Other processes that use the memory. Must be called with the tracker's mutex held, except
/// HaveLeft.
class IpcPeers {
 public:
  virtual ~IpcPeers() = default;
  /// Makes the queue wait for the peers' work. Throws before anything is enqueued.
  virtual void Before(WorkQueue& queue) = 0;
  /// Makes the peers' next work wait for the queue's work. Returns false if they cannot be told of
  /// it now; then Tell has to be called until it returns true.
  virtual bool After(WorkQueue& queue) = 0;
  /// Makes the peers' next work wait for work that they have not been told of. Returns true if
  /// there is none left, or all of it has ended.
  virtual bool Tell() = 0;
  /// The peers' events that are not complete, for code that waits for them. Freeing the memory does
  /// not wait for them; it waits for HaveLeft.
  virtual Events Pending() = 0;
  /// Whether no peer has the memory open or pending work on it, and none can join any more. Does
  /// not block. Safe to call from any thread.
  virtual bool HaveLeft() noexcept = 0;
};

/// A piece of memory, allocated or borrowed, with the tracker of all work on it. Its owner and its
/// loans share one block, in any thread. A shared pointer to the block keeps the memory and
/// whatever it needs. The last one to be released hands the block to the caching allocator. Safe to
/// use from any thread.
class Block {
 public:
  /// Makes a block of this library's own memory. `kept` lives until all work on the memory has
  /// ended. The caching allocator is never destroyed.
  static std::shared_ptr<Block> Of(CachingAllocator& allocator,
                                   std::unique_ptr<Allocation> allocation,
                                   std::shared_ptr<void> kept = nullptr);
  /// Makes a block of another library's memory, which this library does not free.
  static std::shared_ptr<Block> Borrowed(CachingAllocator& allocator,
                                         std::shared_ptr<void> kept = nullptr);
  /// Returns the same block for a loan that came with an object. When the last copy of the result
  /// is released, on any thread, the work that the block then has may still use the object. So the
  /// object lives until that work has ended, consumers' work included.
  static std::shared_ptr<Block> With(std::shared_ptr<Block> block, std::shared_ptr<void> object);

  ~Block() = default;

  DependencyTracker& tracker() { return tracker_; }
  /// Null for another library's memory.
  Allocation* allocation() const { return allocation_.get(); }

  /// Call once, with the tracker's mutex held.
  void set_peers(std::shared_ptr<IpcPeers> peers) { peers_ = std::move(peers); }
  IpcPeers* peers() const { return peers_.get(); }

  /// Allows no new loans of the block, whoever holds a pin.
  void GiveUp() { given_up_ = true; }
  /// Whether the address can no longer be borrowed: the block was given up, or has no pin.
  bool given_up() const { return given_up_ || pins_ == 0; }

  /// Whether there is one pin: no loan and no capsule, in any thread.
  bool has_one_pin() const { return pins_ == 1; }

  /// Keeps an object until the work on the block has ended; the caching allocator polls for that.
  /// Does nothing while another object is kept. Must be called with the tracker's mutex held.
  void KeepWhilePending(const std::shared_ptr<Block>& self, std::shared_ptr<void> kept);

  /// The events that are not complete, the peers' included. Must be called with the tracker's mutex
  /// held.
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
  DependencyTracker tracker_;
  std::unique_ptr<Allocation> allocation_;
  std::shared_ptr<IpcPeers> peers_;
  std::shared_ptr<void> kept_;
  std::shared_ptr<void> kept_while_pending_;
  std::atomic<bool> given_up_{false};
  std::atomic<int> pins_{0};
};

/// Keeps an object until the process ends, for when it is unknown whether a device or other code
/// still uses what the object owns.
void KeepForGood(std::shared_ptr<void> kept);

/// Keeps a block, and allows new loans by its address. The owner, each loan and each capsule has
/// one. Safe to use from any thread.
class Pin {
 public:
  explicit Pin(std::shared_ptr<Block> block) : block_(std::move(block)) { ++block_->pins_; }
  ~Pin() { End(); }
  const std::shared_ptr<Block>& block() const { return block_; }
  Pin(Pin&& other) noexcept = default;

  /// Releases the block. Its address can no longer be borrowed if this was the last pin.
  void End() {
    if (block_ == nullptr) return;
    --block_->pins_;
    block_ = nullptr;
  }

 private:
  std::shared_ptr<Block> block_;
};

}  // namespace array_interface
