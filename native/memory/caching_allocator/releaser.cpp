#include "memory/caching_allocator/releaser.hpp"

#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "threads/background_thread.hpp"

namespace array_interface {

namespace {

/// How long a thread that released memory waits for more.
constexpr std::chrono::seconds kLinger{10};

}  // namespace

void Releaser::Add(std::unique_ptr<Allocation> allocation) {
  const void* const device = allocation->device();
  const std::size_t size = allocation->size();
  const Lock lock(mutex_);
  const auto line = lines_.try_emplace(device).first;
  line->second.waiting.Put(std::move(allocation));
  ++count_;
  counter_.Expect(device, size);
  StartThread(line);
  line->second.arrived.notify_one();
}

std::unique_ptr<Allocation> Releaser::Take(const void* device, int kind, std::size_t size) {
  const Lock lock(mutex_);
  const auto line = lines_.find(device);
  if (line == lines_.end()) return nullptr;
  auto found = line->second.waiting.Take(kind, size);
  if (found == nullptr) return nullptr;
  --count_;
  counter_.Drop(device, size);
  EraseIdle(line);
  return found;
}

void Releaser::Forget(const void* device) {
  const Lock lock(mutex_);
  const auto line = lines_.find(device);
  if (line == lines_.end()) return;
  line->second.lingers = false;
  line->second.arrived.notify_one();
  EraseIdle(line);
}

void Releaser::EnsureThreads() {
  const Lock lock(mutex_);
  for (auto line = lines_.begin(); line != lines_.end(); ++line) StartThread(line);
}

std::size_t Releaser::count() const {
  const Lock lock(mutex_);
  return count_;
}

void Releaser::EraseIdle(Lines::iterator line) {
  if (!line->second.has_thread && line->second.waiting.is_empty()) lines_.erase(line);
}

void Releaser::StartThread(Lines::iterator line) {
  if (line->second.has_thread || line->second.waiting.is_empty()) return;
  try {
    std::thread([this, line] { Run(line); }).detach();
    line->second.has_thread = true;
  } catch (const std::system_error&) {
    // EnsureThreads tries again.
  }
}

void Releaser::Run(Lines::iterator line) {
  BackgroundThread::Mark();
  const void* const device = line->first;
  Lock lock(mutex_);
  while (HasNext(lock, line->second)) {
    auto next = line->second.waiting.TakeOldest();
    const std::size_t size = next->size();
    lock.unlock();
    next->Release();
    next = nullptr;
    lock.lock();
    --count_;
    counter_.Return(device, size);
  }
  lines_.erase(line);
}

/// Waits up to kLinger for more. Returns false if nothing came.
bool Releaser::HasNext(Lock& lock, Line& line) {
  line.arrived.wait_for(lock, kLinger, [&] { return !line.waiting.is_empty() || !line.lingers; });
  return !line.waiting.is_empty();
}

}  // namespace array_interface
