#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "ipc_page.hpp"
#include "task.hpp"

namespace array_interface::cuda_simulator {

/// The part of an interprocess event that other processes see. One object for each event in each
/// process, however often it was opened. Thread-safe.
class SharedEvent : public std::enable_shared_from_this<SharedEvent> {
 public:
  /// A new event of this process. Throws Failure where there are no slots left.
  static std::shared_ptr<SharedEvent> make();

  /// The event that a handle of another process names. Throws Failure INVALID_VALUE for one that is
  /// forged or stale.
  static std::shared_ptr<SharedEvent> open(const IpcHandle& handle);

  ~SharedEvent();
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;

  /// The handle with which others open it; it must be this process's.
  IpcHandle handle() const;

  /// Begins a record: nobody takes it for done before finish(). Waits where 64 records before are
  /// all pending.
  std::uint64_t begin();

  /// The record is enqueued as `task`, which calls finish() when it runs.
  void enqueued(std::uint64_t number, const TaskPtr& task);

  void finish(std::uint64_t number);

  /// Number of the last record; 0 if there is none. Later calls say what became of that one.
  std::uint64_t last() const { return slot_.last; }

  bool is_done(std::uint64_t number) const;

  /// The task of a record of this process that is not done; null for all others.
  TaskPtr task_of(std::uint64_t number);

  /// Asks the process in whose stream the record is to run the work before it.
  void request(std::uint64_t number);

  /// Waits for a record, of whichever process; one that ended counts as done.
  void wait(std::uint64_t number);

  /// Runs what other processes asked for.
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
