#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

#include "threads/job_thread.hpp"

namespace array_interface::cuda {

/// Compiles kernels one after another on its own thread. There is one per process, never destroyed.
class KernelBuilder {
 public:
  using Milliseconds = std::chrono::milliseconds;

  /// How long the end of an environment or of the process waits for a build, which the driver may
  /// block on work that never ends.
  static constexpr Milliseconds kTimeout{5000};

  static KernelBuilder& Instance();

  /// An environment (the main thread or a worker) begins. Each must call Leave. Nothing is built
  /// without an environment.
  void Enter();
  /// An environment ends. The last one drops builds that have not begun, and blocks until the
  /// current one has ended.
  void Leave();
  /// Stops building: drops builds that have not begun, and blocks for at most kTimeout until the
  /// current one has ended. Must be called before exit(): the exit handlers of the driver's
  /// compiler may run before the exit gate closes, and would shut down the compiler during a build.
  void End();

  /// Runs `build` later on the builder's thread, or drops it. Ignores what it throws.
  void Post(std::function<void()> build);

  /// Number of builds posted so far.
  std::uint64_t posted() { return thread_.posted(); }
  /// Whether the first `count` builds have ended or were dropped. Does not block.
  bool HasBuilt(std::uint64_t count) { return thread_.HasRun(count); }

 private:
  KernelBuilder() = default;
  bool IsWanted() const { return !has_ended_ && environments_ > 0; }
  void WaitForPosted();

  std::atomic<bool> has_ended_{false};
  std::atomic<int> environments_{0};
  JobThread thread_;
};

}  // namespace array_interface::cuda
