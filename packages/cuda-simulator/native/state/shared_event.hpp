#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "memory/ipc_page.hpp"
#include "task.hpp"

namespace array_interface::cuda_simulator {

/// The part of an interprocess event that other processes see. Each process has one object for each
/// event, however often it was opened. Thread-safe.
class SharedEvent : public std::enable_shared_from_this<SharedEvent> {
 public:
  /// A new event of this process. Throws Failure where no slots are left.
  static std::shared_ptr<SharedEvent> make();

  /// The event that another process's handle names. Throws Failure INVALID_VALUE for a handle that
  /// is forged or stale.
  static std::shared_ptr<SharedEvent> open(const IpcHandle& handle);

  ~SharedEvent();
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;

  /// The handle with which others open it; it must be this process's.
  IpcHandle handle() const;

  /// Begins a record, which counts as pending until finish(). Waits where 64 earlier records are
  /// pending.
  std::uint64_t begin();

  /// Notes that `task` stands for the record. The task calls finish() when it runs.
  void enqueued(std::uint64_t number, const TaskPtr& task);

  void finish(std::uint64_t number);

  /// Number of the last record; 0 if there is none. Later calls take the number.
  std::uint64_t last() const { return slot_.last; }

  bool is_done(std::uint64_t number) const;

  /// The task of a record of this process that is not done. Null for any other.
  TaskPtr task_of(std::uint64_t number);

  /// Asks the process whose stream has the record to run the work before it.
  void request(std::uint64_t number);

  /// Waits for a record of any process. A record of an ended process counts as done.
  void wait(std::uint64_t number);

  /// Runs the work that other processes asked for.
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
  std::map<std::uint64_t, TaskPtr> pending_;  // records of this process that are not done
};

}  // namespace array_interface::cuda_simulator
