#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

#include "memory/caching_allocator/free_list.hpp"
#include "memory/caching_allocator/memory_pressure.hpp"

namespace array_interface {

/// Releases memory on a thread for each device. A release may wait for other libraries' work, so
/// nothing else waits behind it. From any thread; never destroyed.
class Releaser {
 public:
  explicit Releaser(MemoryPressure& pressure) : pressure_(pressure) {}

  /// Has it released, which may be later: where the system gives no thread, it waits for one.
  void Add(std::unique_ptr<Allocation> allocation);
  /// What was to be released last, and is good for another use. Null: there is none.
  std::unique_ptr<Allocation> Take(const void* device, int kind, std::size_t size);
  /// Nothing more comes of a device, so no thread waits for it.
  void Forget(const void* device);
  /// Starts the threads that the system refused before.
  void EnsureThreads();

  /// How many allocations are waiting, or are being released.
  std::size_t count() const;

 private:
  /// Memory of one device, and whether there is a thread for it.
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

  MemoryPressure& pressure_;
  mutable std::mutex mutex_;
  Lines lines_;  ///< of places with memory or a thread
  std::size_t count_ = 0;
};

}  // namespace array_interface
