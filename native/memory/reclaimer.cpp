#include "memory/reclaimer.hpp"

#include <algorithm>
#include <utility>

namespace array_interface {

namespace {

/// How often somebody who waits on a thread asks again for threads that the system refused.
constexpr std::chrono::milliseconds kRetry{10};

}  // namespace

// Without memory for a list, the block leaks: better than to end the process out of a finalizer.
void Reclaimer::Take(std::unique_ptr<Block> block) noexcept try {
  Ended ended(std::move(block));
  pressure_.Expect(ended.place(), ended.size());
  if (ended.is_idle() && ended.HasEnded()) {
    Settle(std::move(ended));
  } else {
    watcher_.Add(std::move(ended));
  }
} catch (...) {
}

/// Decides where the memory goes once no work on it is pending. What the block kept ends here.
void Reclaimer::Settle(Ended ended) {
  const void* const place = ended.place();
  const std::size_t size = ended.size();
  if (auto allocation = ended.End()) {
    for (auto& gone : cache_.Put(std::move(allocation))) releaser_.Add(std::move(gone));
  }
  pressure_.Return(place, size);
}

Reclaimer::Tried Reclaimer::Try(const void* place, int kind, std::size_t size,
                                Milliseconds patience,
                                const std::function<std::unique_ptr<Allocation>()>& allocate) {
  const auto deadline = Clock::now() + patience;
  for (bool is_first = true;; is_first = false) {
    Tried tried;
    tried.seen = returned();
    tried.allocation = FindFree(place, kind, size);
    if (tried.allocation == nullptr) tried.allocation = allocate();
    if (tried.allocation != nullptr) return tried;
    ReleaseKept(place);
    // Others may have let go of memory since the last look, which can be long ago.
    if (is_first) watcher_.AskAgain();
    tried.on_their_way = OnTheirWay(place);
    if (returned() != tried.seen) continue;
    if (tried.on_their_way == 0 || Clock::now() >= deadline) return tried;
    WaitForMemory(place, tried.seen, deadline);
  }
}

/// The allocation that was kept last, or one that is to be released. Null: there is neither.
std::unique_ptr<Allocation> Reclaimer::FindFree(const void* place, int kind, std::size_t size) {
  auto found = cache_.Take(place, kind, size);
  return found != nullptr ? std::move(found) : releaser_.Take(place, kind, size);
}

void Reclaimer::WaitForMemory(const void* place, std::uint64_t seen, Clock::time_point deadline) {
  const auto impatience = Hasten();
  while (Clock::now() < deadline) {
    if (pressure_.Wait(place, seen, std::min(deadline, Clock::now() + kRetry))) return;
    EnsureThreads();
  }
}

bool Reclaimer::HasReturned(std::uint64_t seen) {
  if (returned() != seen) return true;
  EnsureThreads();
  return false;
}

std::shared_ptr<void> Reclaimer::Hasten() {
  auto impatience = pressure_.Hasten();
  EnsureThreads();
  watcher_.Wake();
  return impatience;
}

void Reclaimer::ReleaseKept(const void* place) {
  const auto hold = pressure_.Hold();
  for (auto& gone : cache_.Empty(place)) releaser_.Add(std::move(gone));
  EnsureThreads();
}

bool Reclaimer::HasReleased() {
  if (releasing() == 0) return true;
  EnsureThreads();
  return false;
}

void Reclaimer::Forget(const void* place) {
  ReleaseKept(place);
  releaser_.Forget(place);
}

void Reclaimer::EnsureThreads() {
  watcher_.EnsureThread();
  releaser_.EnsureThreads();
}

void Reclaimer::Enter() {
  const std::lock_guard lock(mutex_);
  ++environments_;
}

void Reclaimer::Leave(Milliseconds patience) {
  {
    const std::lock_guard lock(mutex_);
    if (--environments_ > 0) return;
  }
  const auto deadline = Clock::now() + patience;
  while (true) {
    const std::uint64_t seen = returned();
    ReleaseKept();
    const bool is_over = pressure_.IsIdle() && kept() == 0;  // in this sequence: see Settle
    if (is_over || Clock::now() >= deadline) return;
    WaitForMemory(nullptr, seen, deadline);
  }
}

}  // namespace array_interface
