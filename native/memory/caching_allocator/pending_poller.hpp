#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <variant>
#include <vector>

#include "memory/caching_allocator/memory_pressure.hpp"
#include "memory/caching_allocator/pending_free.hpp"
#include "memory/caching_allocator/poll_schedule.hpp"

namespace array_interface {

/// Looks at the events of pending work, in any order and without waiting, on a thread of its own.
/// From any thread; never destroyed.
class PendingPoller {
 public:
  /// The thread gives `settle` each block whose work has ended.
  PendingPoller(MemoryPressure& pressure, std::function<void(PendingFree)> settle)
      : pressure_(pressure), settle_(std::move(settle)) {}

  /// Watches until all work on it has ended. Its bytes are expected already.
  void Add(PendingFree ended);
  /// Watches until the work on a block that is held has ended.
  void Add(PendingRelease resting) { Arrive({std::move(resting)}); }

  /// Looks soon at what has not been looked at often, since somebody saw work end.
  void PollSoon();
  /// Looks often, while the pressure says that somebody is waiting.
  void Wake();
  /// Looks again at what does not come by itself. It counts as on its way until then.
  void PollAgain();
  /// Starts the thread where the system refused it before.
  void EnsureThread();

  /// How many blocks that nobody holds are being watched.
  std::size_t count() const { return ended_; }

 private:
  using Thing = std::variant<PendingFree, PendingRelease>;
  using Clock = MemoryPressure::Clock;
  using Urgency = PollSchedule<Thing>::Urgency;

  void Arrive(Thing thing);
  void StartThread();
  void Run();
  void WaitUntil(Clock::time_point next);
  Urgency TakeArrivals(std::shared_ptr<void>& asked);
  bool Poll(Thing& thing);
  bool Poll(PendingFree& ended);
  void Note(const PendingFree& ended, bool came);

  MemoryPressure& pressure_;
  const std::function<void(PendingFree)> settle_;
  PollSchedule<Thing> schedule_;  ///< the thread's own

  std::mutex mutex_;
  std::condition_variable woken_;
  std::vector<Thing> arrived_;
  bool is_woken_ = false;
  bool polls_soon_ = false;
  std::shared_ptr<void> asked_;  ///< a hold on the pressure until all was looked at
  bool has_thread_ = false;
  std::atomic<std::size_t> watched_{0};
  std::atomic<std::size_t> ended_{0};
  std::atomic<std::size_t> staying_{0};  ///< do not come by themselves
};

}  // namespace array_interface
