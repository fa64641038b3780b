#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "memory/allocation.hpp"
#include "order/order.hpp"

namespace array_interface {

class Reclaimer;

/// Other processes that use the memory. Call with the order's mutex held, except HaveLeft.
class Tenants {
 public:
  virtual ~Tenants() = default;
  /// Makes the queue wait for their work. Throws before anything is enqueued.
  virtual void Before(WorkQueue& queue) = 0;
  /// Makes their next work wait for the queue's work. False: they cannot be told of it now, and
  /// Tell has to be called until they are.
  virtual bool After(WorkQueue& queue) = 0;
  /// Makes their next work wait for what they have not been told of. True: there is none, or it has
  /// ended.
  virtual bool Tell() = 0;
  /// Their points that are not reached, for code that waits for them; the end of the memory does
  /// not.
  virtual Points Pending() = 0;
  /// Whether none of them has the memory or pending work on it any more, and none can come. Never
  /// waits. From any thread.
  virtual bool HaveLeft() noexcept = 0;
};

/// A piece of memory, allocated or borrowed, with the order of all work on it. Its owner and its
/// loans, in any thread, share one block, and a shared pointer to it is what keeps the memory and
/// what that needs; the last to let go hands it to the reclaimer. From any thread.
class Block {
 public:
  /// A block of our own memory, and what has to live until all work on it has ended. The reclaimer
  /// is never destroyed.
  static std::shared_ptr<Block> Of(Reclaimer& reclaimer, std::unique_ptr<Allocation> allocation,
                                   std::shared_ptr<void> kept = nullptr);
  /// A block of another library's memory, which we do not give back.
  static std::shared_ptr<Block> Borrowed(Reclaimer& reclaimer,
                                         std::shared_ptr<void> kept = nullptr);
  /// The same block for a loan that came with an object. Once the last copy of the result goes, on
  /// any thread, the object stays until the work has ended that the block then has, consumers'
  /// included.
  static std::shared_ptr<Block> With(std::shared_ptr<Block> block, std::shared_ptr<void> object);

  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() = default;

  Order& order() { return order_; }
  /// Null for another library's memory.
  Allocation* allocation() const { return allocation_.get(); }

  /// Call once, with the order's mutex held.
  void set_tenants(std::shared_ptr<Tenants> tenants) { tenants_ = std::move(tenants); }
  Tenants* tenants() const { return tenants_.get(); }

  /// From now on the block can be borrowed by nobody new, whoever vouches for it.
  void GiveUp() { given_up_ = true; }
  /// Whether its address is good for nothing: nobody vouches for it (any more).
  bool given_up() const { return given_up_ || vouchers_ == 0; }

  /// Keeps an object until the work on the block has ended; the reclaimer looks for that. Does
  /// nothing while another object is kept. Call with the order's mutex held.
  void KeepWhilePending(const std::shared_ptr<Block>& self, std::shared_ptr<void> kept);

  /// Points of everybody's work that are not reached. Call with the order's mutex held.
  Points Pending() const;

 private:
  friend class Ended;
  friend class Resting;
  friend class Voucher;

  Block(Reclaimer& reclaimer, std::unique_ptr<Allocation> allocation, std::shared_ptr<void> kept)
      : reclaimer_(reclaimer), allocation_(std::move(allocation)), kept_(std::move(kept)) {}
  static std::shared_ptr<Block> Share(Block* block);
  void PassOn(Block* rest) noexcept;
  std::shared_ptr<void> TakeKeptWhilePending() { return std::move(kept_while_pending_); }

  Reclaimer& reclaimer_;
  Order order_;
  std::unique_ptr<Allocation> allocation_;
  std::shared_ptr<Tenants> tenants_;
  std::shared_ptr<void> kept_;
  std::shared_ptr<void> kept_while_pending_;
  std::atomic<bool> given_up_{false};
  std::atomic<int> vouchers_{0};
};

/// Keeps an object until the process ends, since nobody can tell whether a device or other code
/// still reaches what it stands for.
void KeepForGood(std::shared_ptr<void> kept);

/// Keeps a block, and its address good for borrowing: its owner's, a loan's, a capsule's. From any
/// thread.
class Voucher {
 public:
  explicit Voucher(std::shared_ptr<Block> block) : block_(std::move(block)) { ++block_->vouchers_; }
  ~Voucher() { End(); }
  const std::shared_ptr<Block>& block() const { return block_; }
  Voucher(Voucher&& other) noexcept = default;
  Voucher& operator=(Voucher&&) = delete;
  Voucher(const Voucher&) = delete;
  Voucher& operator=(const Voucher&) = delete;

  /// Lets go of the block, whose address is no longer good if this was the last.
  void End() {
    if (block_ == nullptr) return;
    --block_->vouchers_;
    block_ = nullptr;
  }

 private:
  std::shared_ptr<Block> block_;
};

}  // namespace array_interface
