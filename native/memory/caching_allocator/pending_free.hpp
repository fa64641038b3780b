#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "memory/block.hpp"

namespace array_interface {

/// A block that nobody holds any more, until all work on it has ended.
class PendingFree {
 public:
  /// Takes the events of its pending work. Memory of a pool goes back in their order.
  explicit PendingFree(std::unique_ptr<Block> block);

  /// Looks at the events, without waiting. True: all work has ended, and nobody else has the
  /// memory.
  bool HasEnded();
  /// Whether the memory comes back by itself, as seen last. It does not while another process has
  /// it, a capture keeps it, or the driver does not tell whether work has ended.
  bool comes() const { return comes_; }
  /// Whether the last look found a new event, which is reached soon as a rule.
  bool is_renewed() const { return is_renewed_; }
  /// Whether there was nothing to look at from the start.
  bool is_idle() const { return pending_.IsEmpty(); }

  /// Where the memory comes from, and its bytes; null and 0 for a block without memory of ours.
  const void* device() const;
  std::size_t size() const;

  /// Ends what the block kept, and gives its memory, which may be null. Call once it has ended.
  std::unique_ptr<Allocation> End() noexcept;

 private:
  std::unique_ptr<Block> block_;
  PendingWork pending_;
  bool comes_ = true;
  bool is_renewed_ = false;
};

/// A block that is held, and keeps something until the work on it has ended.
class PendingRelease {
 public:
  explicit PendingRelease(std::weak_ptr<Block> block) : block_(std::move(block)) {}

  /// Lets go of what the work that has ended kept. True: all of it has. Never waits.
  bool HasEnded() const;
  bool is_renewed() const { return false; }

 private:
  std::weak_ptr<Block> block_;
};

}  // namespace array_interface
