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

/// Commands that the runtime was not given yet, and when it is. Not safe by itself: see World.
class Schedule {
 public:
  Schedule(Settings& settings, Journal& journal) : settings_(settings), journal_(journal) {}

  /// A new command on a queue after what others stand for, with its prerequisites; not yet added.
  CommandPointer Prepare(const std::shared_ptr<Queue>& queue, const char* what, bool is_barrier,
                         std::vector<CommandPointer> awaited, std::vector<void*> awaited_events);
  /// Whether it goes to the runtime at once.
  bool GoesNow(const Command& command);
  /// The runtime has its event. Submits it later where `submission` is one.
  void Add(const CommandPointer& command, bool is_barrier, void* event, Submission submission);

  /// Submits a command and what has to be submitted before it, unless some of that is held.
  bool Force(const CommandPointer& command);
  /// Force, as soon as it is let go.
  void ForceWhenReleased(const CommandPointer& command, Lock& lock);
  /// All that was submitted so far, of one queue or, with null, of all.
  void ForceAll(const Queue* queue, Lock& lock);
  /// Whether the runtime has it, which it may get after being asked often enough.
  bool Look(const CommandPointer& command);

  /// Commands of a queue, or of all of a device's, do not begin from now on.
  void Hold(Queue& queue) { queue.held_from = next_; }
  void Hold(Mark device) { held_from_[device] = next_; }
  void Release(Queue& queue);
  void Release(Mark device);
  /// Another order: what no longer waits is submitted.
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
