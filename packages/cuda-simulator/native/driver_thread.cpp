#include "driver_thread.hpp"

#include <pthread.h>
#include <signal.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace array_interface::cuda_simulator {
namespace {

thread_local bool inside_host_function = false;

/// One thread that runs host functions for whoever waits for them.
class HostFunctionThread {
 public:
  void run(const std::function<void()>& function) {
    std::unique_lock lock(mutex_);
    if (!started_) {
      start_driver_thread([this] { serve(); });
      started_ = true;
    }
    bool done = false;
    waiting_.push_back({&function, &done});
    changed_.notify_all();
    changed_.wait(lock, [&] { return done; });
  }

 private:
  struct Request {
    const std::function<void()>* function;
    bool* done;
  };

  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return !waiting_.empty(); });
      const Request request = waiting_.front();
      waiting_.pop_front();
      lock.unlock();
      run_as_host_function(*request.function);
      lock.lock();
      *request.done = true;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Request> waiting_;
  bool started_ = false;
};

}  // namespace

void start_driver_thread(std::function<void()> body) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are the program's
  try {
    std::thread(std::move(body)).detach();
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void run_on_driver_thread(const std::function<void()>& function) {
  static HostFunctionThread& thread = *new HostFunctionThread;  // outlives every thread
  thread.run(function);
}

void run_as_host_function(const std::function<void()>& function) {
  inside_host_function = true;
  function();
  inside_host_function = false;
}

bool in_host_function() { return inside_host_function; }

}  // namespace array_interface::cuda_simulator
