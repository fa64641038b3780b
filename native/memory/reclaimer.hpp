#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "memory/block.hpp"
#include "memory/reclaimer/cache.hpp"
#include "memory/reclaimer/pressure.hpp"
#include "memory/reclaimer/releaser.hpp"
#include "memory/reclaimer/watcher.hpp"

namespace array_interface {

/// Gives back memory that nobody holds any more. There is one for an addon; all threads share it,
/// and it is never destroyed. The watcher sees work end, the cache keeps free memory for the next
/// allocation of its size, the releaser gives back what is not kept, and the pressure knows what is
/// on its way. What one memory costs that comes and goes does not depend on how many others do.
class Reclaimer {
 public:
  using Milliseconds = std::chrono::milliseconds;

  /// Memory, or null and what the next attempt needs to know.
  struct Tried {
    std::unique_ptr<Allocation> allocation;
    /// For HasReturned: how often memory had come back before the last attempt.
    std::uint64_t seen = 0;
    /// Bytes of the place that are on their way back.
    std::size_t on_their_way = 0;
  };

  Reclaimer() = default;
  Reclaimer(const Reclaimer&) = delete;
  Reclaimer& operator=(const Reclaimer&) = delete;
  ~Reclaimer() = delete;

  /// Takes a block that nobody holds any more.
  void Take(std::unique_ptr<Block> block) noexcept;
  /// Watches a block, and lets go of what it keeps while work is pending once that has ended.
  void Watch(std::weak_ptr<Block> block) { watcher_.Add(Resting(std::move(block))); }

  /// Memory that was kept, or what `allocate` gives. Where that gives null, it releases all kept
  /// memory of the place, and then waits at most for `patience` for memory on its way.
  Tried Try(const void* place, int kind, std::size_t size, Milliseconds patience,
            const std::function<std::unique_ptr<Allocation>()>& allocate);
  /// Whether memory came back since a try, or since `returned` was read. Never waits.
  bool HasReturned(std::uint64_t seen);
  std::uint64_t returned() const { return pressure_.returned(); }
  /// Looks often until the result goes, since somebody waits for memory without a thread.
  std::shared_ptr<void> Hasten();
  /// Bytes of a place, or of all for null, that are on their way back, without memory that another
  /// process has open or that a capture keeps.
  std::size_t OnTheirWay(const void* place) const { return pressure_.OnTheirWay(place); }

  /// Releases kept memory of one place, or of all places for null. Does not wait.
  void ReleaseKept(const void* place = nullptr);
  /// Whether nothing is being released, or is to be. While the system has no thread for that, it
  /// asks for one each time. Never waits.
  bool HasReleased();
  /// Nobody can allocate at a place any more, whose memory says that it may not be kept. What is
  /// kept of it is released. Does not wait.
  void Forget(const void* place);

  /// How many allocations are kept, how many are on their way back, and how many of the latter are
  /// being released.
  std::size_t kept() const { return cache_.count(); }
  std::size_t ending() const { return watcher_.count() + releaser_.count(); }
  std::size_t releasing() const { return releaser_.count(); }

  /// Looks soon, since somebody saw work end.
  void Hurry() { watcher_.Hurry(); }

  /// An environment (the main thread or a worker) begins; each must Leave. The last one releases
  /// all kept memory, and waits at most for `patience` for memory on its way.
  void Enter();
  void Leave(Milliseconds patience);

 private:
  using Clock = Pressure::Clock;

  void Settle(Ended ended);
  std::unique_ptr<Allocation> FindFree(const void* place, int kind, std::size_t size);
  void WaitForMemory(const void* place, std::uint64_t seen, Clock::time_point deadline);
  void EnsureThreads();

  Pressure pressure_;
  Cache cache_;
  Releaser releaser_{pressure_};
  Watcher watcher_{pressure_, [this](Ended ended) { Settle(std::move(ended)); }};
  std::mutex mutex_;  ///< of the number of environments
  int environments_ = 0;
};

}  // namespace array_interface
