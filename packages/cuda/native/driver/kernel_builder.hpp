#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

#include "threads/job_thread.hpp"

namespace array_interface::cuda {

/// Has kernels compiled on a thread of its own, one after another. One for the process, never
/// destroyed.
class KernelBuilder {
 public:
  using Milliseconds = std::chrono::milliseconds;

  /// How long the end of an environment or of the process waits for a build. The driver may make it
  /// wait for work that never ends.
  static constexpr Milliseconds kPatience{5000};

  static KernelBuilder& Instance();

  /// An environment (the main thread or a worker) begins; each must Leave. Without any, nothing is
  /// built.
  void Enter();
  /// An environment ends. The last one drops what is not begun and waits for the build under way.
  void Leave();
  /// Nothing is built any more: drops what is not begun and waits for the build under way, at most
  /// for kPatience. Comes before exit(), where the exit handlers of the driver's compiler would end
  /// it under a build.
  void End();

  /// Runs `build` later on the builder's thread, or drops it. What it throws is dropped, too.
  void Post(std::function<void()> build);

  /// How many builds were posted so far.
  std::uint64_t posted() { return thread_.posted(); }
  /// Whether the first `count` of them have ended, or were dropped. Does not wait.
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
