#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

#include "threads/job_thread.hpp"

namespace array_interface::cuda {

/// Compiles kernels on a thread of its own, one after another. There is one for the process, never
/// destroyed.
class KernelBuilder {
 public:
  using Milliseconds = std::chrono::milliseconds;

  /// How long the end of an environment or of the process waits for a build, which the driver may
  /// block on work that never ends.
  static constexpr Milliseconds kPatience{5000};

  static KernelBuilder& Instance();

  /// An environment (the main thread or a worker) begins; each must Leave. Nothing is built without
  /// one.
  void Enter();
  /// An environment ends. The last one drops builds that have not begun, and waits for the one
  /// under way.
  void Leave();
  /// Stops building: drops builds that have not begun, and waits at most kPatience for the one
  /// under way. Call it before exit(), where the exit handlers of the driver's compiler may run
  /// before the gate is closed, and would end the compiler under a build.
  void End();

  /// Runs `build` later on the builder's thread, or drops it. What it throws is dropped.
  void Post(std::function<void()> build);

  /// How many builds were posted so far.
  std::uint64_t posted() { return thread_.posted(); }
  /// Whether the first `count` builds have ended, or were dropped. Does not wait.
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
