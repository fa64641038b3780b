#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "memory/block.hpp"
#include "memory/caching_allocator/cache.hpp"
#include "memory/caching_allocator/memory_pressure.hpp"
#include "memory/caching_allocator/pending_poller.hpp"
#include "memory/caching_allocator/releaser.hpp"

namespace array_interface {

/// Gives back memory that nobody holds any more. There is one for an addon; all threads share it,
/// and it is never destroyed. The watcher sees work end, the cache keeps free memory for the next
/// allocation of its size, the releaser gives back what is not kept, and the pressure knows what is
/// on its way. What one memory costs that comes and goes does not depend on how many others do.
class CachingAllocator {
 public:
  using Milliseconds = std::chrono::milliseconds;

  /// Memory, or null and what the next attempt needs to know.
  struct Attempted {
    std::unique_ptr<Allocation> allocation;
    /// For HasReturned: how often memory had come back before the last attempt.
    std::uint64_t seen = 0;
    /// Bytes of the device that are on their way back.
    std::size_t pending_bytes = 0;
  };

  CachingAllocator() = default;
  CachingAllocator(const CachingAllocator&) = delete;
  CachingAllocator& operator=(const CachingAllocator&) = delete;
  ~CachingAllocator() = delete;

  /// Takes a block that nobody holds any more.
  void Take(std::unique_ptr<Block> block) noexcept;
  /// Watches a block, and lets go of what it keeps while work is pending once that has ended.
  void Watch(std::weak_ptr<Block> block) { poller_.Add(PendingRelease(std::move(block))); }

  /// Memory that was kept, or what `allocate` gives. Where that gives null, it releases all kept
  /// memory of the device, and then waits at most for `timeout` for memory on its way.
  Attempted Try(const void* device, int kind, std::size_t size, Milliseconds timeout,
                const std::function<std::unique_ptr<Allocation>()>& allocate);
  /// Whether memory came back since a try, or since `returned` was read. Never waits.
  bool HasReturned(std::uint64_t seen);
  std::uint64_t returned() const { return pressure_.returned(); }
  /// Looks often until the result goes, since somebody waits for memory without a thread.
  std::shared_ptr<void> PollEagerly();
  /// Bytes of a device, or of all for null, that are on their way back, without memory that another
  /// process has open or that a capture keeps.
  std::size_t PendingBytes(const void* device) const { return pressure_.PendingBytes(device); }

  /// Releases kept memory of one device, or of all devices for null. Does not wait.
  void ReleaseKept(const void* device = nullptr);
  /// Whether nothing is being released, or is to be. While the system has no thread for that, it
  /// asks for one each time. Never waits.
  bool HasReleased();
  /// Nobody can allocate on a device any more, whose memory says that it may not be kept. What is
  /// kept of it is released. Does not wait.
  void Forget(const void* device);

  /// How many allocations are kept, how many are on their way back, and how many of the latter are
  /// being released.
  std::size_t kept() const { return cache_.count(); }
  std::size_t ending() const { return poller_.count() + releaser_.count(); }
  std::size_t releasing() const { return releaser_.count(); }

  /// Looks soon, since somebody saw work end.
  void PollSoon() { poller_.PollSoon(); }

  /// An environment (the main thread or a worker) begins; each must Leave. The last one releases
  /// all kept memory, and waits at most for `timeout` for memory on its way.
  void Enter();
  void Leave(Milliseconds timeout);

 private:
  using Clock = MemoryPressure::Clock;

  void Settle(PendingFree ended);
  std::unique_ptr<Allocation> FindFree(const void* device, int kind, std::size_t size);
  void WaitForMemory(const void* device, std::uint64_t seen, Clock::time_point deadline);
  void EnsureThreads();

  MemoryPressure pressure_;
  Cache cache_;
  Releaser releaser_{pressure_};
  PendingPoller poller_{pressure_, [this](PendingFree ended) { Settle(std::move(ended)); }};
  std::mutex mutex_;  ///< of the number of environments
  int environments_ = 0;
};

}  // namespace array_interface
