#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "cuda_abi.hpp"
#include "handle_table.hpp"
#include "task.hpp"

namespace array_interface::cuda_simulator {

/// A mark in a stream: the task that was recorded last.
struct Event {
  Context* context = nullptr;
  unsigned flags = 0;
  std::atomic<int> looks{0};  ///< queries since it was last found complete or recorded

  /// The task of the last record, or null if it was never recorded.
  TaskPtr last_record() {
    std::lock_guard lock(mutex);
    return recorded;
  }

  void record(TaskPtr task) {
    std::lock_guard lock(mutex);
    recorded = std::move(task);
    looks = 0;
  }

 private:
  std::mutex mutex;
  TaskPtr recorded;
};

HandleTable<Event>& events();

/// The event behind a handle. Throws Failure INVALID_HANDLE.
std::shared_ptr<Event> find_event(CUevent handle);

}  // namespace array_interface::cuda_simulator
