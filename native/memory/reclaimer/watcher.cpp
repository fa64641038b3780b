#include "memory/reclaimer/watcher.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "threads/own_thread.hpp"

namespace array_interface {

namespace {

/// The pause while somebody waits for memory.
constexpr std::chrono::milliseconds kImpatientPause{1};

}  // namespace

void Watcher::Add(Ended ended) {
  Note(ended, true);
  Arrive({std::move(ended)});
}

void Watcher::Arrive(Thing thing) {
  const bool is_ended = std::holds_alternative<Ended>(thing);
  const std::lock_guard lock(mutex_);
  arrived_.push_back(std::move(thing));
  ++watched_;
  if (is_ended) ++ended_;
  StartThread();
  is_woken_ = true;
  woken_.notify_one();
}

void Watcher::Hurry() {
  if (watched_ == 0) return;
  const std::lock_guard lock(mutex_);
  hurries_ = true;
  is_woken_ = true;
  woken_.notify_one();
}

void Watcher::Wake() {
  if (watched_ == 0) return;
  const std::lock_guard lock(mutex_);
  is_woken_ = true;
  woken_.notify_one();
}

void Watcher::AskAgain() {
  if (staying_ == 0) return;
  auto hold = pressure_.Hold();
  const std::lock_guard lock(mutex_);
  if (asked_ == nullptr) asked_.swap(hold);
  is_woken_ = true;
  woken_.notify_one();
}

void Watcher::EnsureThread() {
  if (watched_ == 0) return;
  const std::lock_guard lock(mutex_);
  StartThread();
}

void Watcher::StartThread() {
  if (has_thread_) return;
  try {
    std::thread([this] { Run(); }).detach();
    has_thread_ = true;
  } catch (const std::system_error&) {
    // EnsureThread tries again.
  }
}

void Watcher::Run() {
  OwnThread::Mark();
  while (true) {
    WaitUntil(looks_.NextDue());
    std::shared_ptr<void> asked;  // goes when all was looked at
    const Haste haste = TakeArrivals(asked);
    for (auto& looked : looks_.TakeDue(haste)) {
      if (LookAt(looked.thing)) continue;
      const bool is_renewed =
          std::visit([](const auto& thing) { return thing.is_renewed(); }, looked.thing);
      looked.count = is_renewed ? 1 : looked.count + 1;
      looks_.Put(std::move(looked));
    }
  }
}

void Watcher::WaitUntil(Clock::time_point next) {
  std::unique_lock lock(mutex_);
  const auto is_woken = [this] { return is_woken_; };
  if (next == Clock::time_point::max()) {
    woken_.wait(lock, is_woken);
    return;
  }
  if (pressure_.is_impatient()) next = std::min(next, Clock::now() + kImpatientPause);
  woken_.wait_until(lock, next, is_woken);
}

/// Takes what came since the last time, and says what is to be looked at before its time.
Watcher::Haste Watcher::TakeArrivals(std::shared_ptr<void>& asked) {
  std::vector<Thing> arrived;
  Haste haste = pressure_.is_impatient() ? Haste::kAll : Haste::kNone;
  {
    const std::lock_guard lock(mutex_);
    is_woken_ = false;
    arrived.swap(arrived_);
    if (asked_ != nullptr) {
      asked.swap(asked_);
      haste = Haste::kAll;
    }
    if (std::exchange(hurries_, false) && haste == Haste::kNone) haste = Haste::kEager;
  }
  for (auto& thing : arrived) looks_.Put({std::move(thing)});
  return haste;
}

bool Watcher::LookAt(Thing& thing) {
  if (auto* const ended = std::get_if<Ended>(&thing)) return LookAt(*ended);
  if (!std::get<Resting>(thing).HasEnded()) return false;
  --watched_;
  return true;
}

bool Watcher::LookAt(Ended& ended) {
  const bool came = ended.comes();
  const bool has_ended = ended.HasEnded();
  Note(ended, came);
  if (!has_ended) return false;
  --ended_;
  --watched_;
  settle_(std::move(ended));
  return true;
}

/// Notes whether its memory is on its way, where that has changed.
void Watcher::Note(const Ended& ended, bool came) {
  if (came == ended.comes()) return;
  if (came) {
    ++staying_;
    pressure_.Drop(ended.place(), ended.size());
  } else {
    --staying_;
    pressure_.Expect(ended.place(), ended.size());
  }
}

}  // namespace array_interface
