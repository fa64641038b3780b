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
  posted_.push_back(std::move(free));
  if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
  changed_.notify_all();
}

void Reaper::Drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return posted_.empty() && !busy_; });
}

bool Reaper::IsIdle() {
  std::lock_guard lock(mutex_);
  return posted_.empty() && !busy_;
}

void Reaper::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || !posted_.empty(); });
    if (posted_.empty()) return;
    auto free = std::move(posted_.front());
    posted_.pop_front();
    busy_ = true;
    lock.unlock();
    free();
    free = nullptr;  // what it held goes here, not under the lock
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace array_interface
