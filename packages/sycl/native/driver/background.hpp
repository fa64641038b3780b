#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

#include "memory/caching_allocator.hpp"
#include "threads/job_thread.hpp"

namespace array_interface::sycl {

/// Background work of the process: freeing memory, and building kernels ahead of need. There is one
/// instance, never destroyed.
class Background {
 public:
  static Background& Instance();

  /// Called when an environment (the main thread or a worker) starts. Each must call Leave.
  void Enter();
  /// Called when an environment ends. The last one waits for the kernel that is being built and,
  /// for at most ten seconds, for memory that is being freed.
  void Leave();

  /// Whether no environment is left.
  bool IsLeft();

  /// Frees memory that has no references any more.
  CachingAllocator& allocator() { return allocator_; }

  /// Runs `job`, which prepares something ahead of need, on a background thread. Drops the job once
  /// no environment is left, after EndBuilding, and if no thread can be started. Ignores what it
  /// throws.
  void Prepare(std::function<void()> job);
  /// The number of jobs that were posted so far.
  std::uint64_t preparations() { return builder_.posted(); }
  /// Whether the first `count` jobs have run or were dropped.
  bool HasPrepared(std::uint64_t count) { return builder_.HasRun(count); }
  /// Waits for the running job, and runs no more. Must be called before exit(): there the exit
  /// handlers of the runtime's compiler would end the compiler during a build.
  void EndBuilding();

 private:
  Background() = default;

  std::mutex environments_mutex_;
  int environments_ = 0;
  CachingAllocator& allocator_ = *new CachingAllocator();
  JobThread builder_;
  std::atomic<bool> prepares_{true};
};

}  // namespace array_interface::sycl
