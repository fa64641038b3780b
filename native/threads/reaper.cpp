#include "threads/reaper.hpp"

#include <utility>

namespace array_interface {

Reaper::~Reaper() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Reaper::Post(std::function<void()> free) {
  std::lock_guard lock(mutex_);
  if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
  waiting_.push_back(std::move(free));
  ++posted_;
  changed_.notify_all();
}

void Reaper::Drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this, asked = posted_] { return run_ >= asked; });
}

std::uint64_t Reaper::posted() {
  std::lock_guard lock(mutex_);
  return posted_;
}

bool Reaper::HasRun(std::uint64_t count) {
  std::lock_guard lock(mutex_);
  return run_ >= count;
}

void Reaper::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    auto free = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    free();
    free = nullptr;  // what it held goes here, not under the lock
    lock.lock();
    ++run_;
    changed_.notify_all();
  }
}

}  // namespace array_interface
