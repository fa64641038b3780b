#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "base/cuda_abi.hpp"
#include "base/handle_table.hpp"
#include "shared_event.hpp"
#include "task.hpp"

namespace array_interface::cuda_simulator {

struct Stream;

/// One record of an event, as a wait or a query keeps it: a task of this process, or a record of
/// another process. If it has neither, there is nothing to wait for.
struct Mark {
  TaskPtr task;
  std::shared_ptr<SharedEvent> shared;
  std::uint64_t number = 0;  ///< of the record in `shared`

  /// Waits until it completes.
  void wait() const;

  /// Polls whether it is complete. On the lazy schedule the n-th poll of the same unfinished record
  /// runs the work.
  bool look(std::atomic<int>& looks) const;

  /// Throws Failure CAPTURED_EVENT if it was recorded in a capturing stream.
  void refuse_captured() const;

  /// Makes later work of the stream wait for it.
  void enqueue_wait(Stream& stream) const;
};

/// A mark in a stream. Only the last record counts.
struct Event {
  Context* context = nullptr;
  unsigned flags = 0;
  bool imported = false;      ///< opened from another process's handle
  std::atomic<int> looks{0};  ///< queries since it was last found complete or recorded

  Mark last_record();

  /// Records the event after everything in the stream.
  void record(Stream& stream);

  /// Shares the event with other processes. Repeated calls return the same object.
  std::shared_ptr<SharedEvent> share();

  /// Makes this the event that another process shared.
  void adopt(std::shared_ptr<SharedEvent> event);

 private:
  std::mutex mutex;
  TaskPtr recorded;
  std::shared_ptr<SharedEvent> shared;
};

inline HandleTable<Event, CUevent>& events() {
  return immortal<HandleTable<Event, CUevent>, 0xE7, CUDA_ERROR_INVALID_HANDLE, Handles::reused>();
}

}  // namespace array_interface::cuda_simulator
