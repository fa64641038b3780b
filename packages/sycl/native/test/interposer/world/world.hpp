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

/// All that the interposer knows, behind one mutex; a Visit holds that.
class World {
 public:
  /// Never destroyed: threads may outlive static objects.
  static World& Instance();

  Settings settings;
  Journal journal;
  References references{journal};
  Memory memory;
  Schedule schedule{settings, journal};
  std::unordered_map<std::size_t, Mark> context_devices;  ///< by hash; both where it is not here
  std::uint64_t builds = 0;          ///< modules that were given to the compiler
  bool reaches[2] = {false, false};  ///< peer access was enabled from a device to the other

  /// Notes a reference that is given, and returns it.
  void* Give(Kind kind, void* reference, Mark mark = kFirst);

  /// The queue behind a reference, whoever made that.
  std::shared_ptr<Queue> QueueOf(const void* reference);
  void AddQueue(const void* reference, Mark device);
  void AddCopy(const void* reference, const std::shared_ptr<Queue>& queue);
  /// The reference ends. The queue, which is to be dropped without the mutex.
  std::shared_ptr<Queue> RemoveQueue(const void* reference);
  std::vector<std::shared_ptr<Queue>> Queues() const;

  /// A new reference to a command's event.
  void* GiveEvent(CommandPointer command);
  /// The command behind a reference; null for one of another library.
  CommandPointer CommandOf(const void* event) const;
  CommandPointer RemoveEvent(const void* event);
  /// Whether it has ended, which is noted when first seen.
  bool HasEnded(const CommandPointer& command);
  void NoteEnd(Command& command, const char* what);

  /// A command uses addresses: notes that, and what is wrong with it. `directly`: it dereferences
  /// them on its device; else the runtime copies.
  void Touch(const CommandPointer& command, const Queue& queue,
             const std::vector<const void*>& pointers, bool directly);
  /// What uses an allocation, which is freed, must have ended. Whether it has.
  bool CheckFree(const void* pointer, const Allocation& allocation);
  /// Commands whose queue is gone and that may not have ended.
  std::vector<CommandPointer> orphans;

 private:
  std::unordered_map<const void*, std::shared_ptr<Queue>> queues_;        // by reference
  std::unordered_map<std::size_t, std::shared_ptr<Queue>> known_queues_;  // by hash
  std::unordered_map<const void*, CommandPointer> events_;
  std::uint64_t last_queue_ = 0;
};

/// Holds the world's mutex. What is dropped meanwhile ends without it, for the runtime is called.
class Visit {
 public:
  Visit() : lock_(Mutex()) {}
  World* operator->() const { return &World::Instance(); }
  Lock& lock() { return lock_; }
  void Drop(std::shared_ptr<void> one) { dropped_.push_back(std::move(one)); }

 private:
  static std::mutex& Mutex();

  std::vector<std::shared_ptr<void>> dropped_;  // before the lock, to end after it
  Lock lock_;
};

}  // namespace array_interface::sycl::interposer
