#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "memory/ipc_page.hpp"
#include "task.hpp"

namespace array_interface::cuda_simulator {

/// The part of an interprocess event that other processes see. Each process has one object per
/// event, however often it was opened. Thread-safe.
class SharedEvent : public std::enable_shared_from_this<SharedEvent> {
 public:
  /// Creates an event of this process. Throws Failure if no slots are left.
  static std::shared_ptr<SharedEvent> make();

  /// Opens the event that another process's handle names. Throws Failure INVALID_VALUE for a forged
  /// or stale handle.
  static std::shared_ptr<SharedEvent> open(const IpcHandle& handle);

  ~SharedEvent();
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;

  /// Returns the handle with which other processes open it. The event must be this process's.
  IpcHandle handle() const;

  /// Begins a record, which is pending until finish(). Blocks if 64 earlier records are pending.
  std::uint64_t begin();

  /// Associates `task` with the record. The task calls finish() when it runs.
  void enqueued(std::uint64_t number, const TaskPtr& task);

  void finish(std::uint64_t number);

  /// Returns the number of the last record, which later calls accept; 0 if there is none.
  std::uint64_t last() const { return slot_.last; }

  bool is_done(std::uint64_t number) const;

  /// Returns the task of an unfinished record of this process. Null for any other record.
  TaskPtr task_of(std::uint64_t number);

  /// Requests that the process whose stream has the record runs the work before it.
  void request(std::uint64_t number);

  /// Waits for a record of any process. A record of an ended process counts as done.
  void wait(std::uint64_t number);

  /// Runs the work that other processes requested.
  void serve();

 private:
  SharedEvent(IpcPage& page, EventSlot& slot, bool ours);
  RecordSlot& record(std::uint64_t number) const;
  void run(std::uint64_t number, const TaskPtr& task);

  IpcPage& page_;
  EventSlot& slot_;
  const std::uint64_t id_;
  const bool ours_;
  std::mutex mutex_;
  std::map<std::uint64_t, TaskPtr> pending_;  // unfinished records of this process
};

}  // namespace array_interface::cuda_simulator
