#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

#include "memory/caching_allocator.hpp"
#include "threads/job_thread.hpp"

namespace array_interface::sycl {

/// Work behind the JavaScript threads: giving memory back, and building kernels ahead of need.
/// There is one for the process, never destroyed.
class Background {
 public:
  static Background& Instance();

  /// An environment (the main thread or a worker) begins; each must Leave.
  void Enter();
  /// An environment ends. The last one waits for the kernel that is being built and, for some
  /// seconds at most, for memory on its way back.
  void Leave();

  /// Whether no environment is left.
  bool IsLeft();

  /// Gives back memory that nobody holds any more.
  CachingAllocator& allocator() { return allocator_; }

  /// Runs `job`, which makes something ready ahead of need, on a thread of its own. Drops the job
  /// once no environment is left, after EndPreparing, and where there is no thread for it. What it
  /// throws is dropped.
  void Prepare(std::function<void()> job);
  /// How many jobs were posted so far.
  std::uint64_t preparations() { return builder_.posted(); }
  /// Whether the first `count` of them have run or were dropped.
  bool HasPrepared(std::uint64_t count) { return builder_.HasRun(count); }
  /// Waits for the running job, and runs no more. Call it before exit(), where the exit handlers of
  /// the runtime's compiler would end the compiler under a build.
  void EndPreparing();

 private:
  Background() = default;

  std::mutex environments_mutex_;
  int environments_ = 0;
  CachingAllocator& allocator_ = *new CachingAllocator();
  JobThread builder_;
  std::atomic<bool> prepares_{true};
};

}  // namespace array_interface::sycl
