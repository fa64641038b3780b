#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "memory/block.hpp"

namespace array_interface {

/// A block that nothing references any more, until all work on it has ended.
class PendingFree {
 public:
  /// Takes the events of the block's pending work. Frees memory of a pool in stream order, after
  /// them.
  explicit PendingFree(std::unique_ptr<Block> block);

  /// Polls the events without blocking. Returns true once all work has ended and no other process
  /// has the memory open.
  bool HasEnded();
  /// Whether the memory will be freed without further action, according to the last poll. It will
  /// not if another process has it open, a capture keeps it, or the driver does not report whether
  /// work has ended.
  bool comes() const { return comes_; }
  /// Whether the last poll recorded a new event, which usually completes soon.
  bool is_renewed() const { return is_renewed_; }
  /// Whether no work was pending from the start.
  bool is_idle() const { return pending_.IsEmpty(); }

  /// The device of the memory and its bytes. Null and 0 for a block without memory of this library.
  const void* device() const;
  std::size_t size() const;

  /// Destroys what the block kept, and returns its memory, which may be null. Call it once
  /// HasEnded() has returned true.
  std::unique_ptr<Allocation> End() noexcept;

 private:
  std::unique_ptr<Block> block_;
  PendingWork pending_;
  bool comes_ = true;
  bool is_renewed_ = false;
};

/// A referenced block that keeps an object until the work on it has ended.
class PendingRelease {
 public:
  explicit PendingRelease(std::weak_ptr<Block> block) : block_(std::move(block)) {}

  /// Drops what completed work kept. Returns true if all of the work has ended. Does not block.
  bool HasEnded() const;
  bool is_renewed() const { return false; }

 private:
  std::weak_ptr<Block> block_;
};

}  // namespace array_interface
