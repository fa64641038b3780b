#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "journal.hpp"
#include "memory.hpp"
#include "references.hpp"
#include "schedule.hpp"
#include "settings.hpp"

namespace array_interface::sycl::interposer {

/// The state of the interposer, behind one mutex; a Visit holds it.
class World {
 public:
  /// Never destroyed, since threads may outlive static objects.
  static World& Instance();

  Settings settings;
  Journal journal;
  References references{journal};
  Memory memory;
  Schedule schedule{settings, journal};
  std::unordered_map<std::size_t, Mark>
      context_devices;               ///< by hash; both devices if it is missing
  std::uint64_t builds = 0;          ///< modules that were passed to the compiler
  bool reaches[2] = {false, false};  ///< peer access was enabled from a device to the other

  /// Records a reference that is returned to the caller, and returns it.
  void* Give(Kind kind, void* reference, Mark mark = kFirst);

  /// The queue of a reference, whichever library created it.
  std::shared_ptr<Queue> QueueOf(const void* reference);
  void AddQueue(const void* reference, Mark device);
  void AddCopy(const void* reference, const std::shared_ptr<Queue>& queue);
  /// Removes a reference. Returns its queue, which must be dropped without the mutex held.
  std::shared_ptr<Queue> RemoveQueue(const void* reference);
  std::vector<std::shared_ptr<Queue>> Queues() const;

  /// Creates a reference to a command's event.
  void* GiveEvent(CommandPointer command);
  /// The command of a reference; null for another library's.
  CommandPointer CommandOf(const void* event) const;
  CommandPointer RemoveEvent(const void* event);
  /// Whether it has ended. Records the end when it is first seen.
  bool HasEnded(const CommandPointer& command);
  void NoteEnd(Command& command, const char* what);

  /// Records that a command uses addresses, and the faults in that. `directly`: it dereferences
  /// them on its device; otherwise the runtime copies.
  void Touch(const CommandPointer& command, const Queue& queue,
             const std::vector<const void*>& pointers, bool directly);
  /// Records a fault unless all users of a freed allocation have ended. Returns whether they have.
  bool CheckFree(const void* pointer, const Allocation& allocation);
  /// Commands whose queue was deleted and that may not have ended.
  std::vector<CommandPointer> orphans;

 private:
  std::unordered_map<const void*, std::shared_ptr<Queue>> queues_;        // by reference
  std::unordered_map<std::size_t, std::shared_ptr<Queue>> known_queues_;  // by hash
  std::unordered_map<const void*, CommandPointer> events_;
  std::uint64_t last_queue_ = 0;
};

/// Holds the world's mutex. Objects that are dropped during a visit are destroyed without it, since
/// destroying them calls the runtime.
class Visit {
 public:
  Visit() : lock_(Mutex()) {}
  World* operator->() const { return &World::Instance(); }
  Lock& lock() { return lock_; }
  void Drop(std::shared_ptr<void> one) { dropped_.push_back(std::move(one)); }

 private:
  static std::mutex& Mutex();

  std::vector<std::shared_ptr<void>>
      dropped_;  // declared before the lock, to be destroyed after it is released
  Lock lock_;
};

}  // namespace array_interface::sycl::interposer
