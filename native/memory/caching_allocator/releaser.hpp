#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

#include "memory/caching_allocator/free_list.hpp"
#include "memory/caching_allocator/release_counter.hpp"

namespace array_interface {

/// Releases memory, on one thread for each device. A release may block on other libraries' work, so
/// nothing else may queue behind it. Safe to use from any thread; never destroyed.
class Releaser {
 public:
  explicit Releaser(ReleaseCounter& counter) : counter_(counter) {}

  /// Queues an allocation for release. If the system refuses a thread, it waits for a later call to
  /// start one.
  void Add(std::unique_ptr<Allocation> allocation);
  /// Returns the allocation that was queued last and may be used again. Null if there is none.
  std::unique_ptr<Allocation> Take(const void* device, int kind, std::size_t size);
  /// Stops the device's thread once its queue is empty, since nothing more of that device will be
  /// released.
  void Forget(const void* device);
  /// Starts the threads that the system refused before.
  void EnsureThreads();

  /// How many allocations are queued or are being released.
  std::size_t count() const;

 private:
  /// The queue of one device, and whether it has a thread.
  struct Line {
    FreeList waiting;
    std::condition_variable arrived;
    bool has_thread = false;
    bool lingers = true;
  };
  using Lines = std::map<const void*, Line>;
  using Lock = std::unique_lock<std::mutex>;

  void EraseIdle(Lines::iterator line);
  void StartThread(Lines::iterator line);
  void Run(Lines::iterator line);
  bool HasNext(Lock& lock, Line& line);

  ReleaseCounter& counter_;
  mutable std::mutex mutex_;
  Lines lines_;  ///< of devices that have memory or a thread
  std::size_t count_ = 0;
};

}  // namespace array_interface
