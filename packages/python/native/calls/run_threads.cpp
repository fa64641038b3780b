#include "calls/run_threads.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "calls/run.hpp"
#include "interpreter/entry.hpp"

namespace array_interface {

namespace {

/// Enough for runs that wait for something else. More would only wait for Python's lock: 20,000
/// threads have held the event loop for a minute.
constexpr std::size_t kMostThreads = 64;

/// Runs in their order, and threads that take them. The threads end with the process.
class RunQueue {
 public:
  /// Threads that keep their state in Python from one run to the next have its `threading.local`,
  /// too. On a free-threaded Python, what such a thread has made is freed when it runs next.
  RunQueue(std::size_t most, bool keeps_state) : most_(most), keeps_state_(keeps_state) {}

  void Add(std::shared_ptr<Run> run) {
    const std::lock_guard lock(mutex_);
    if (free_ <= runs_.size() && threads_ < most_) StartThread();
    runs_.push_back(std::move(run));
    added_.notify_one();
  }

 private:
  void StartThread() {
    try {
      std::thread([this] { Serve(); }).detach();
    } catch (const std::system_error&) {
      if (threads_ == 0) throw;
      return;  // another takes it
    }
    threads_++;
    free_++;
  }

  [[noreturn]] void Serve() {
    std::optional<Attached> state;
    if (keeps_state_) state.emplace();
    while (true) {
      Take()->Work();
      std::optional<Detached> detached;
      if (keeps_state_) detached.emplace();
      const std::lock_guard lock(mutex_);
      free_++;
    }
  }

  std::shared_ptr<Run> Take() {
    std::optional<Detached> detached;
    if (keeps_state_) detached.emplace();
    std::unique_lock lock(mutex_);
    added_.wait(lock, [this] { return !runs_.empty(); });
    free_--;
    auto run = std::move(runs_.front());
    runs_.pop_front();
    return run;
  }

  const std::size_t most_;
  const bool keeps_state_;
  std::mutex mutex_;
  std::condition_variable added_;
  std::deque<std::shared_ptr<Run>> runs_;
  std::size_t threads_ = 0;
  std::size_t free_ = 0;  ///< threads that wait for a run, or are about to
};

}  // namespace

void RunOnPool(std::shared_ptr<Run> run) {
  static auto* const pool = new RunQueue(kMostThreads, false);  // never destroyed
  pool->Add(std::move(run));
}

void RunOnNamed(const std::string& name, std::shared_ptr<Run> run) {
  static auto* const queues = new std::map<std::string, std::unique_ptr<RunQueue>>;
  static std::mutex mutex;
  RunQueue* queue = nullptr;
  {
    const std::lock_guard lock(mutex);
    auto& found = (*queues)[name];
    if (found == nullptr) found = std::make_unique<RunQueue>(1, true);
    queue = found.get();
  }
  queue->Add(std::move(run));
}

}  // namespace array_interface
