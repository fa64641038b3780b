#include "memory/work.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace array_interface {

namespace {

/// Whether all work of a queue is known to have ended. Blocks.
bool HasEnded(WorkQueue& queue) noexcept {
  try {
    if (queue.Runs()) queue.Synchronize();  // captured work does not run
    return true;
  } catch (...) {
    return queue.IsLost();
  }
}

}  // namespace

/// All blocks of one piece of work, with their trackers locked, in the same order on all threads.
class LockedUses {
 public:
  LockedUses(const std::shared_ptr<WorkQueue>& queue, Uses uses) : queue_(queue), uses_(uses) {
    Sort();
    for (const Use& use : *this) {
      if (use.ref->keep()) gone_.push_back(use.ref->KeepProducer());
    }
    Lock();
    for (const Use* use = begin(); use != end(); ++use) {
      if (IsFirstOfBlock(use)) BlockOf(*use)->tracker().ReplaceOver(gone_);
    }
  }
  LockedUses(const LockedUses&) = delete;
  LockedUses& operator=(const LockedUses&) = delete;
  ~LockedUses() { Unlock(); }

  void Before() const {
    AssertRuns();
    for (const Use& use : *this) use.ref->Before(*queue_, use.access);
  }
  /// Makes the queue wait for what was enqueued since Before, so that one event covers everything.
  void Gather() const {
    AssertRuns();
    for (const Use& use : *this) use.ref->block()->tracker().Before(*queue_, use.access);
  }
  Enqueued After() const {
    Enqueued work{queue_->Record()};
    for (const Use& use : *this) {
      if (!use.ref->After(queue_, work.event, use.access)) work.is_notified = false;
    }
    return work;
  }
  /// Called while an exception is handled that left some work without an event. Blocks until the
  /// queue has ended. This rare path is better than leaving the memory to later work and to its
  /// release. If blocking fails as well, the trackers record unknown work.
  void NoteUnknown() const {
    const auto error = std::current_exception();
    if (HasEnded(*queue_)) return;
    for (const Use* use = begin(); use != end(); ++use) {
      if (IsFirstOfBlock(use)) BlockOf(*use)->tracker().NoteUnknown(queue_, error);
    }
  }

 private:
  void AssertRuns() const {
    queue_->AssertRuns();
    for (const Use& use : *this) use.ref->AssertRuns(*queue_);
  }

  Use* begin() const { return uses_.first; }
  Use* end() const { return uses_.first + uses_.count; }
  static Block* BlockOf(const Use& use) { return use.ref->block().get(); }

  /// Sorts the uses by block, keeps each reference once, and sets one access for each block.
  void Sort() {
    std::sort(begin(), end(), [](const Use& one, const Use& other) {
      if (BlockOf(one) != BlockOf(other)) return std::less<>()(BlockOf(one), BlockOf(other));
      return std::less<>()(one.ref, other.ref);
    });
    for (Use* use = begin(); use != end();) use = Raise(use);
    const auto is_one = [](const Use& one, const Use& other) { return one.ref == other.ref; };
    uses_.count = static_cast<std::size_t>(std::unique(begin(), end(), is_one) - begin());
  }

  /// Sets the uses of one block to the strongest access among them. Returns the end of these uses.
  Use* Raise(Use* first) const {
    Use* const last =
        std::find_if(first, end(), [&](const Use& use) { return BlockOf(use) != BlockOf(*first); });
    const auto writes = [](const Use& use) { return use.access == Access::kWrite; };
    if (!std::any_of(first, last, writes)) return last;
    std::for_each(first, last, [](Use& use) { use.access = Access::kWrite; });
    return last;
  }

  bool IsFirstOfBlock(const Use* use) const {
    return use == begin() || BlockOf(use[-1]) != BlockOf(*use);
  }
  void Lock() const {
    for (Use* use = begin(); use != end(); ++use) {
      if (IsFirstOfBlock(use)) BlockOf(*use)->tracker().mutex().lock();
    }
  }
  void Unlock() const {
    for (Use* use = end(); use != begin();) {
      --use;
      if (IsFirstOfBlock(use)) BlockOf(*use)->tracker().mutex().unlock();
    }
  }

  const std::shared_ptr<WorkQueue>& queue_;
  Uses uses_;
  std::vector<std::shared_ptr<void>> gone_;  ///< destroyed without the locks
};

Enqueued Work(const std::shared_ptr<WorkQueue>& queue, Uses uses,
              const std::function<void()>& enqueue) {
  const LockedUses locked(queue, uses);
  locked.Before();
  queue->Prepare();
  try {
    enqueue();
    return locked.After();
  } catch (...) {
    locked.NoteUnknown();
    throw;
  }
}

Enqueued Work(const std::shared_ptr<WorkQueue>& queue, MemoryRef& target, MemoryRef& origin,
              const std::function<void()>& enqueue) {
  Use both[] = {{&target, Access::kWrite}, {&origin, Access::kRead}};
  return Work(queue, {both, 2}, enqueue);
}

void BeginExternalWork(const std::shared_ptr<WorkQueue>& queue, Uses uses) {
  LockedUses(queue, uses).Before();
}

Enqueued EndExternalWork(const std::shared_ptr<WorkQueue>& queue, Uses uses) {
  const LockedUses locked(queue, uses);
  try {
    locked.Gather();
    return locked.After();
  } catch (...) {
    locked.NoteUnknown();
    throw;
  }
}

void EndExternalWork(const std::shared_ptr<WorkQueue>& queue, MemoryRef& ref) {
  Use use{&ref, Access::kWrite};
  EndExternalWork(queue, {&use, 1});
}

}  // namespace array_interface
