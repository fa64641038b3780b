#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "command.hpp"
#include "settings.hpp"

namespace array_interface::sycl::interposer {

class Journal;

using Lock = std::unique_lock<std::mutex>;

/// Commands that the runtime was not given yet, and the time when it is. Not thread-safe; World has
/// the mutex.
class Schedule {
 public:
  Schedule(Settings& settings, Journal& journal) : settings_(settings), journal_(journal) {}

  /// Creates a command on a queue, after the commands and events in `awaited`, with its
  /// prerequisites. Does not add it.
  CommandPointer Prepare(const std::shared_ptr<Queue>& queue, const char* what, bool is_barrier,
                         std::vector<CommandPointer> awaited, std::vector<void*> awaited_events);
  /// Whether the command is submitted to the runtime at once.
  bool GoesNow(const Command& command);
  /// Adds a command. It is submitted already and has `event`, unless `submission` is set.
  void Add(const CommandPointer& command, bool is_barrier, void* event, Submission submission);

  /// Submits a command and its prerequisites, unless one of them is held.
  bool Force(const CommandPointer& command);
  /// Does the same once it is released.
  void ForceWhenReleased(const CommandPointer& command, Lock& lock);
  /// Submits all commands so far of one queue or, with null, of all queues.
  void ForceAll(const Queue* queue, Lock& lock);
  /// Whether the runtime has the command. Submits it once it was polled often enough.
  bool Look(const CommandPointer& command);

  /// Commands of a queue, or of all queues of a device, do not start from now on.
  void Hold(Queue& queue) { queue.held_from = next_; }
  void Hold(Mark device) { held_from_[device] = next_; }
  void Release(Queue& queue);
  void Release(Mark device);
  /// Called after the schedule was changed: submits what need not wait any more.
  void Changed() { SubmitReady(); }

 private:
  bool IsHeld(const Command& command) const;
  bool IsReady(const Command& command) const;
  void Submit(Command& command);
  void SubmitReady();
  std::vector<CommandPointer> PendingOf(const Queue* queue, std::uint64_t before) const;

  Settings& settings_;
  Journal& journal_;
  std::map<std::uint64_t, CommandPointer> pending_;
  std::uint64_t next_ = 1;
  std::uint64_t held_from_[2] = {Queue::kNever, Queue::kNever};
  std::condition_variable released_;
};

}  // namespace array_interface::sycl::interposer
