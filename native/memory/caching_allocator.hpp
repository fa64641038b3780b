#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "memory/block.hpp"
#include "memory/caching_allocator/cache.hpp"
#include "memory/caching_allocator/pending_poller.hpp"
#include "memory/caching_allocator/release_counter.hpp"
#include "memory/caching_allocator/releaser.hpp"

namespace array_interface {

/// Frees memory that has no owner and no loans any more. There is one allocator for an addon; all
/// threads share it, and it is never destroyed. The poller detects when work has ended, and the
/// cache keeps free memory for the next allocation of its size. The releaser frees what is not
/// cached, and the release counter counts the bytes that are pending. The cost of allocating and
/// freeing a block does not depend on the number of other blocks.
class CachingAllocator {
 public:
  using Milliseconds = std::chrono::milliseconds;

  /// The memory, or null and what the caller needs for the next attempt.
  struct Attempted {
    std::unique_ptr<Allocation> allocation;
    /// For HasReturned: how often memory had been freed before the last attempt.
    std::uint64_t seen = 0;
    /// Bytes of the device whose release is pending.
    std::size_t pending_bytes = 0;
  };

  ~CachingAllocator() = delete;

  /// Takes a block that nothing references any more.
  void Take(std::unique_ptr<Block> block) noexcept;
  /// Polls a block, and drops what it keeps for its pending work once that has ended.
  void Watch(std::weak_ptr<Block> block) { poller_.Add(PendingRelease(std::move(block))); }

  /// Returns cached memory, or the result of `allocate`. If `allocate` returns null, releases all
  /// cached memory of the device, and then blocks for at most `timeout` while frees are pending.
  Attempted Try(const void* device, int kind, std::size_t size, Milliseconds timeout,
                const std::function<std::unique_ptr<Allocation>()>& allocate);
  /// Whether memory was freed since an attempt, or since `returned` was read. Does not block.
  bool HasReturned(std::uint64_t seen);
  std::uint64_t returned() const { return counter_.returned(); }
  /// Polls at short intervals until the result is released, because something waits for memory
  /// asynchronously.
  std::shared_ptr<void> PollEagerly();
  /// Bytes whose release is pending, of a device, or of all devices if null. Memory that another
  /// process has open or that a capture keeps does not count.
  std::size_t PendingBytes(const void* device) const { return counter_.PendingBytes(device); }

  /// Releases the cached memory of one device, or of all devices if null. Does not block.
  void ReleaseCached(const void* device = nullptr);
  /// Whether no release is running or queued. If the system refused to start a thread for that,
  /// each call tries again. Does not block.
  bool HasReleased();
  /// Releases the cached memory of a device on which nothing can be allocated any more. The
  /// device's allocations must already report a kept_at_most() of 0. Does not block.
  void Forget(const void* device);

  /// The number of cached allocations, of pending ones, and of those pending ones that are being
  /// released.
  std::size_t kept() const { return cache_.count(); }
  std::size_t ending() const { return poller_.count() + releaser_.count(); }
  std::size_t releasing() const { return releaser_.count(); }

  /// Polls soon, because a caller saw work end.
  void PollSoon() { poller_.PollSoon(); }

  /// Registers an environment (the main thread or a worker), which must call Leave. The last Leave
  /// releases all cached memory, and blocks for at most `timeout` while frees are pending.
  void Enter();
  void Leave(Milliseconds timeout);

 private:
  using Clock = ReleaseCounter::Clock;

  void Settle(PendingFree ended);
  std::unique_ptr<Allocation> FindFree(const void* device, int kind, std::size_t size);
  void WaitForMemory(const void* device, std::uint64_t seen, Clock::time_point deadline);
  void EnsureThreads();

  ReleaseCounter counter_;
  Cache cache_;
  Releaser releaser_{counter_};
  PendingPoller poller_{counter_, [this](PendingFree ended) { Settle(std::move(ended)); }};
  std::mutex mutex_;  ///< guards environments_
  int environments_ = 0;
};

}  // namespace array_interface
