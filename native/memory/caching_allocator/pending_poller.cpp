#include "memory/caching_allocator/pending_poller.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "threads/background_thread.hpp"

namespace array_interface {

namespace {

/// The polling interval while something waits for memory.
constexpr std::chrono::milliseconds kImpatientPause{1};

}  // namespace

void PendingPoller::Add(PendingFree ended) {
  Note(ended, true);
  Arrive({std::move(ended)});
}

void PendingPoller::Arrive(Thing thing) {
  const bool is_free = std::holds_alternative<PendingFree>(thing);
  const std::lock_guard lock(mutex_);
  arrived_.push_back(std::move(thing));
  ++watched_;
  if (is_free) ++pending_frees_;
  StartThread();
  is_woken_ = true;
  woken_.notify_one();
}

void PendingPoller::PollSoon() {
  if (watched_ == 0) return;
  const std::lock_guard lock(mutex_);
  polls_soon_ = true;
  is_woken_ = true;
  woken_.notify_one();
}

void PendingPoller::Wake() {
  if (watched_ == 0) return;
  const std::lock_guard lock(mutex_);
  is_woken_ = true;
  woken_.notify_one();
}

void PendingPoller::PollAgain() {
  if (staying_ == 0) return;
  auto hold = counter_.Hold();
  const std::lock_guard lock(mutex_);
  if (asked_ == nullptr) asked_.swap(hold);
  is_woken_ = true;
  woken_.notify_one();
}

void PendingPoller::EnsureThread() {
  if (watched_ == 0) return;
  const std::lock_guard lock(mutex_);
  StartThread();
}

void PendingPoller::StartThread() {
  if (has_thread_) return;
  try {
    std::thread([this] { Run(); }).detach();
    has_thread_ = true;
  } catch (const std::system_error&) {
    // EnsureThread tries again.
  }
}

void PendingPoller::Run() {
  BackgroundThread::Mark();
  while (true) {
    WaitUntil(schedule_.NextDue());
    std::shared_ptr<void> asked;  // released after everything was polled
    const Urgency haste = TakeArrivals(asked);
    for (auto& looked : schedule_.TakeDue(haste)) {
      if (Poll(looked.thing)) continue;
      const bool is_renewed =
          std::visit([](const auto& thing) { return thing.is_renewed(); }, looked.thing);
      looked.count = is_renewed ? 1 : looked.count + 1;
      schedule_.Put(std::move(looked));
    }
  }
}

void PendingPoller::WaitUntil(Clock::time_point next) {
  std::unique_lock lock(mutex_);
  const auto is_woken = [this] { return is_woken_; };
  if (next == Clock::time_point::max()) {
    woken_.wait(lock, is_woken);
    return;
  }
  if (counter_.has_waiters()) next = std::min(next, Clock::now() + kImpatientPause);
  woken_.wait_until(lock, next, is_woken);
}

/// Takes what was added since the last call, and returns what to poll before it is due.
PendingPoller::Urgency PendingPoller::TakeArrivals(std::shared_ptr<void>& asked) {
  std::vector<Thing> arrived;
  Urgency haste = counter_.has_waiters() ? Urgency::kAll : Urgency::kNone;
  {
    const std::lock_guard lock(mutex_);
    is_woken_ = false;
    arrived.swap(arrived_);
    if (asked_ != nullptr) {
      asked.swap(asked_);
      haste = Urgency::kAll;
    }
    if (std::exchange(polls_soon_, false) && haste == Urgency::kNone) haste = Urgency::kEager;
  }
  for (auto& thing : arrived) schedule_.Put({std::move(thing)});
  return haste;
}

bool PendingPoller::Poll(Thing& thing) {
  if (auto* const ended = std::get_if<PendingFree>(&thing)) return Poll(*ended);
  if (!std::get<PendingRelease>(thing).HasEnded()) return false;
  --watched_;
  return true;
}

bool PendingPoller::Poll(PendingFree& ended) {
  const bool came = ended.comes();
  const bool has_ended = ended.HasEnded();
  Note(ended, came);
  if (!has_ended) return false;
  --pending_frees_;
  --watched_;
  settle_(std::move(ended));
  return true;
}

/// Updates the pending bytes if HasEnded() changed whether the memory will be freed by itself.
void PendingPoller::Note(const PendingFree& ended, bool came) {
  if (came == ended.comes()) return;
  if (came) {
    ++staying_;
    counter_.Drop(ended.device(), ended.size());
  } else {
    --staying_;
    counter_.Expect(ended.device(), ended.size());
  }
}

}  // namespace array_interface
