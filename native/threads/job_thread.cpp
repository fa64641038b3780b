#include "threads/job_thread.hpp"

#include <utility>

namespace array_interface {

JobThread::~JobThread() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void JobThread::Post(std::function<void()> job) {
  std::lock_guard lock(mutex_);
  if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
  waiting_.push_back(std::move(job));
  ++posted_;
  changed_.notify_all();
}

void JobThread::Drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this, asked = posted_] { return run_ >= asked; });
}

std::uint64_t JobThread::posted() {
  std::lock_guard lock(mutex_);
  return posted_;
}

bool JobThread::HasRun(std::uint64_t count) {
  std::lock_guard lock(mutex_);
  return run_ >= count;
}

void JobThread::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    auto job = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    job();
    job = nullptr;  // destroys its captures without the lock
    lock.lock();
    ++run_;
    changed_.notify_all();
  }
}

}  // namespace array_interface
