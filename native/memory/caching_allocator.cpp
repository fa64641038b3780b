#include "memory/caching_allocator.hpp"

#include <algorithm>
#include <utility>

namespace array_interface {

namespace {

/// How often a blocked thread retries to start threads that the system refused.
constexpr std::chrono::milliseconds kRetry{10};

}  // namespace

// If memory for a list cannot be allocated, the block leaks. That is better than ending the process
// from a finalizer.
void CachingAllocator::Take(std::unique_ptr<Block> block) noexcept try {
  PendingFree ended(std::move(block));
  counter_.Expect(ended.device(), ended.size());
  if (ended.is_idle() && ended.HasEnded()) {
    Settle(std::move(ended));
  } else {
    poller_.Add(std::move(ended));
  }
} catch (...) {
}

/// Caches or releases the memory once no work on it is pending. Destroys what the block kept.
void CachingAllocator::Settle(PendingFree ended) {
  const void* const device = ended.device();
  const std::size_t size = ended.size();
  if (auto allocation = ended.End()) {
    for (auto& gone : cache_.Put(std::move(allocation))) releaser_.Add(std::move(gone));
  }
  counter_.Return(device, size);
}

CachingAllocator::Attempted CachingAllocator::Try(
    const void* device, int kind, std::size_t size, Milliseconds timeout,
    const std::function<std::unique_ptr<Allocation>()>& allocate) {
  const auto deadline = Clock::now() + timeout;
  for (bool is_first = true;; is_first = false) {
    Attempted tried;
    tried.seen = returned();
    tried.allocation = FindFree(device, kind, size);
    if (tried.allocation == nullptr) tried.allocation = allocate();
    if (tried.allocation != nullptr) return tried;
    ReleaseCached(device);
    // Memory may have been freed since the last poll, which can be long ago.
    if (is_first) poller_.PollAgain();
    tried.pending_bytes = PendingBytes(device);
    if (returned() != tried.seen) continue;
    if (tried.pending_bytes == 0 || Clock::now() >= deadline) return tried;
    WaitForMemory(device, tried.seen, deadline);
  }
}

/// Returns the allocation that was cached last, or one that waits for its release. Null if there is
/// neither.
std::unique_ptr<Allocation> CachingAllocator::FindFree(const void* device, int kind,
                                                       std::size_t size) {
  auto found = cache_.Take(device, kind, size);
  return found != nullptr ? std::move(found) : releaser_.Take(device, kind, size);
}

void CachingAllocator::WaitForMemory(const void* device, std::uint64_t seen,
                                     Clock::time_point deadline) {
  const auto eager_polling = PollEagerly();
  while (Clock::now() < deadline) {
    if (counter_.Wait(device, seen, std::min(deadline, Clock::now() + kRetry))) return;
    EnsureThreads();
  }
}

bool CachingAllocator::HasReturned(std::uint64_t seen) {
  if (returned() != seen) return true;
  EnsureThreads();
  return false;
}

std::shared_ptr<void> CachingAllocator::PollEagerly() {
  auto eager_polling = counter_.AddWaiter();
  EnsureThreads();
  poller_.Wake();
  return eager_polling;
}

void CachingAllocator::ReleaseCached(const void* device) {
  const auto hold = counter_.Hold();
  for (auto& gone : cache_.Empty(device)) releaser_.Add(std::move(gone));
  EnsureThreads();
}

bool CachingAllocator::HasReleased() {
  if (releasing() == 0) return true;
  EnsureThreads();
  return false;
}

void CachingAllocator::Forget(const void* device) {
  ReleaseCached(device);
  releaser_.Forget(device);
}

void CachingAllocator::EnsureThreads() {
  poller_.EnsureThread();
  releaser_.EnsureThreads();
}

void CachingAllocator::Enter() {
  const std::lock_guard lock(mutex_);
  ++environments_;
}

void CachingAllocator::Leave(Milliseconds timeout) {
  {
    const std::lock_guard lock(mutex_);
    if (--environments_ > 0) return;
  }
  const auto deadline = Clock::now() + timeout;
  while (true) {
    const std::uint64_t seen = returned();
    ReleaseCached();
    const bool is_over = counter_.IsIdle() && kept() == 0;  // in this order, as in Settle
    if (is_over || Clock::now() >= deadline) return;
    WaitForMemory(nullptr, seen, deadline);
  }
}

}  // namespace array_interface
