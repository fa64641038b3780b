#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "memory/allocation.hpp"
#include "order/order.hpp"

namespace array_interface {

class Reclaimer;

/// Whoever has memory beside this process. With the order's mutex held, but for HaveLeft.
class Tenants {
 public:
  virtual ~Tenants() = default;
  /// Makes the queue wait for their work. Throws before anything is enqueued.
  virtual void Before(WorkQueue& queue) = 0;
  /// Makes their next work wait for what the queue was given.
  virtual void After(WorkQueue& queue) = 0;
  /// Points of theirs that are not reached: for whoever waits, not for the memory's end.
  virtual Points Pending() = 0;
  /// Whether nobody has it any more, with work on it or not, and nobody can come. Never waits; from
  /// any thread.
  virtual bool HaveLeft() noexcept = 0;
};

/// A piece of memory, allocated or borrowed, with the order of all work on it and what must live as
/// long. All who hold it, its owner and its loans in whatever thread, share one; the last to let go
/// hands it to the reclaimer. From any thread.
class Block {
 public:
  /// Memory of ours. The reclaimer is never destroyed.
  static std::shared_ptr<Block> Of(Reclaimer& reclaimer, std::unique_ptr<Allocation> allocation);
  /// A stranger's memory, which is not ours to give back.
  static std::shared_ptr<Block> Borrowed(Reclaimer& reclaimer);

  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() = default;

  Order& order() { return order_; }
  /// Null for a stranger's memory.
  Allocation* allocation() const { return allocation_.get(); }

  /// With the order's mutex held; once.
  void set_tenants(std::shared_ptr<Tenants> tenants) { tenants_ = std::move(tenants); }
  Tenants* tenants() const { return tenants_.get(); }

  /// Keeps something as long as the block, and until work on it has ended. Before others see it.
  void Keep(std::shared_ptr<void> kept) { kept_.push_back(std::move(kept)); }

  /// From now on nobody new may borrow it.
  void GiveUp() { given_up_ = true; }
  bool given_up() const { return given_up_; }

  /// With the order's mutex held: keeps what `make` gives until the work on the block has ended,
  /// which the reclaimer looks for. Does nothing while something is kept so.
  void KeepWhilePending(const std::shared_ptr<Block>& self,
                        const std::function<std::shared_ptr<void>()>& make);

  /// Points that are not reached, of everybody's work. With the order's mutex held.
  Points Pending();

 private:
  friend class Reclaimer;

  Block(Reclaimer& reclaimer, std::unique_ptr<Allocation> allocation)
      : reclaimer_(reclaimer), allocation_(std::move(allocation)) {}
  static std::shared_ptr<Block> Share(std::unique_ptr<Block> block);
  std::shared_ptr<void> TakeKeptWhilePending() { return std::move(kept_while_pending_); }

  Reclaimer& reclaimer_;
  Order order_;
  std::unique_ptr<Allocation> allocation_;
  std::shared_ptr<Tenants> tenants_;
  std::vector<std::shared_ptr<void>> kept_;
  std::shared_ptr<void> kept_while_pending_;
  std::atomic<bool> given_up_{false};
};

}  // namespace array_interface
