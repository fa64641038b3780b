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

#include "memory/caching_allocator/pending_free.hpp"
#include "memory/caching_allocator/poll_schedule.hpp"
#include "memory/caching_allocator/release_counter.hpp"

namespace array_interface {

/// Polls the events of pending work on a thread of its own, in any order, without blocking. Safe to
/// use from any thread; never destroyed.
class PendingPoller {
 public:
  /// The thread passes each block whose work has ended to `settle`.
  PendingPoller(ReleaseCounter& counter, std::function<void(PendingFree)> settle)
      : counter_(counter), settle_(std::move(settle)) {}

  /// Polls until all work on it has ended. Its bytes must already count as pending.
  void Add(PendingFree ended);
  /// Polls until the work on a referenced block has ended.
  void Add(PendingRelease release) { Arrive({std::move(release)}); }

  /// Polls soon what has been polled only a few times, because a caller saw work end.
  void PollSoon();
  /// Wakes the thread, which polls at short intervals while the release counter has waiters.
  void Wake();
  /// Polls once more what will not be freed by itself. Until then, it counts as pending.
  void PollAgain();
  /// Starts the thread if the system refused it before.
  void EnsureThread();

  /// How many unreferenced blocks are being polled.
  std::size_t count() const { return pending_frees_; }

 private:
  using Thing = std::variant<PendingFree, PendingRelease>;
  using Clock = ReleaseCounter::Clock;
  using Urgency = PollSchedule<Thing>::Urgency;

  void Arrive(Thing thing);
  void StartThread();
  void Run();
  void WaitUntil(Clock::time_point next);
  Urgency TakeArrivals(std::shared_ptr<void>& asked);
  bool Poll(Thing& thing);
  bool Poll(PendingFree& ended);
  void Note(const PendingFree& ended, bool came);

  ReleaseCounter& counter_;
  const std::function<void(PendingFree)> settle_;
  PollSchedule<Thing> schedule_;  ///< used only by the thread

  std::mutex mutex_;
  std::condition_variable woken_;
  std::vector<Thing> arrived_;
  bool is_woken_ = false;
  bool polls_soon_ = false;
  std::shared_ptr<void> asked_;  ///< a hold on the counter until everything was polled
  bool has_thread_ = false;
  std::atomic<std::size_t> watched_{0};
  std::atomic<std::size_t> pending_frees_{0};
  std::atomic<std::size_t> staying_{0};  ///< will not be freed by themselves
};

}  // namespace array_interface
