#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "gpu.hpp"

// A stream that stays busy, as with a training step or a kernel that never ends.

namespace test {

/// Keeps a stream's work from completing until it is opened.
class Gate {
 public:
  void open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

/// Enqueues work that blocks the stream until the gate is opened.
inline Gate& hold(CUstream queue) {
  static std::list<Gate>& gates = *new std::list<Gate>;  // work may outlive the case
  Gate& gate = gates.emplace_back();
  OK(cuLaunchHostFunc(
      queue, [](void* data) { static_cast<Gate*>(data)->wait(); }, &gate));
  return gate;
}

/// A thread that makes one driver call, in the context that is current here.
template <class Call>
class Elsewhere {
 public:
  explicit Elsewhere(Call call) : call_(std::move(call)) {
    OK(cuCtxGetCurrent(&context_));
    thread_ = std::thread([this] {
      number_ = static_cast<pid_t>(syscall(SYS_gettid));
      const CUresult entered = cuCtxSetCurrent(context_);
      const CUresult result = entered == CUDA_SUCCESS ? call_() : entered;
      std::lock_guard lock(mutex_);
      result_ = result;
      done_ = true;
      changed_.notify_all();
    });
  }
  ~Elsewhere() { thread_.join(); }
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;

  /// Whether the call waits rather than ends: its thread sleeps 30 times in a row. On a busy
  /// machine a thread that does not wait may take long, too, but it is running or ready to run
  /// meanwhile.
  bool waits() {
    for (int asleep = 0; asleep < 30;) {
      std::unique_lock lock(mutex_);
      if (changed_.wait_for(lock, std::chrono::milliseconds(1), [this] { return done_; })) {
        return false;
      }
      asleep = is_asleep() ? asleep + 1 : 0;
    }
    return true;
  }

  /// Returns the call's result.
  CUresult result() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return done_; });
    return result_;
  }

 private:
  /// As the system tells: the state follows the name, which may contain anything.
  bool is_asleep() const {
    std::ifstream file("/proc/self/task/" + std::to_string(number_) + "/stat");
    std::string text;
    std::getline(file, text);
    const std::size_t behind_name = text.rfind(") ");
    return behind_name != std::string::npos && text[behind_name + 2] == 'S';
  }

  Call call_;
  CUcontext context_ = nullptr;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  CUresult result_ = CUDA_SUCCESS;
  std::atomic<pid_t> number_{0};  ///< of the thread, once it has begun
  std::thread thread_;
};

}  // namespace test
