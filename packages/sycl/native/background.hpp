#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <shared_mutex>

#include "threads/reaper.hpp"

namespace array_interface::sycl {

/// Gives things back behind the JavaScript threads, in order, and keeps background threads out of
/// the runtime once the process is exiting: process.exit() runs exit handlers, the runtime's among
/// them, while other threads go on. One for the process.
class Background {
 public:
  static Background& Instance();

  /// An environment (the main thread or a worker) begins; each must Leave.
  void Enter();
  /// An environment ends; the last one waits until everything posted has run.
  void Leave();

  /// Whether no environment is left.
  bool IsLeft();

  /// Runs `job` on the background thread, or at once when no environment is left. Once the process
  /// is exiting it is leaked instead. What `job` throws is dropped.
  void Post(std::function<void()> job);

  /// Runs `job`, which makes something ready ahead of need, on another background thread; drops it
  /// once no environment is left, after EndPreparing, and where there is no thread for it. What it
  /// throws is dropped.
  void Prepare(std::function<void()> job);
  /// How many jobs there were to prepare so far.
  std::uint64_t preparations() { return builder_.posted(); }
  /// Whether the first `count` of them have run or were dropped.
  bool HasPrepared(std::uint64_t count) { return builder_.HasRun(count); }
  /// Waits for the job that is being prepared, and prepares nothing more: comes before exit(),
  /// where the compiler's own exit handlers would end it under a build.
  void EndPreparing();

  /// Calls into the runtime from a background thread, holding off the end of the process. False,
  /// without a call, when the process is exiting.
  template <class Call>
  bool Pass(Call&& call) {
    std::shared_lock lock(gate_);
    if (closed_) return false;
    call();
    return true;
  }

  /// Runs `last` and closes the gate when the process exits. Call it after the runtime was loaded,
  /// so that it happens before the runtime's own exit handlers.
  void CloseAtExit(std::function<void()> last);

 private:
  Background() = default;
  static void Close();

  std::shared_mutex gate_;
  bool closed_ = false;
  std::function<void()> last_;
  std::mutex environments_mutex_;
  int environments_ = 0;
  Reaper reaper_;
  Reaper builder_;
  std::atomic<bool> prepares_{true};
};

}  // namespace array_interface::sycl
