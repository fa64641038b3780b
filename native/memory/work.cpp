#include "memory/work.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace array_interface {

namespace {

/// Whether all work of a queue is known to have ended. It blocks.
bool HasEnded(WorkQueue& queue) noexcept {
  try {
    if (queue.Runs()) queue.Synchronize();  // what is captured does not run
    return true;
  } catch (...) {
    return queue.IsLost();
  }
}

}  // namespace

/// The memories of one piece of work, with their orders locked, in the same sequence on all
/// threads.
class Together {
 public:
  Together(const std::shared_ptr<WorkQueue>& queue, Uses uses) : queue_(queue), uses_(uses) {
    Sort();
    for (const Use& use : *this) {
      if (use.holder->keep()) gone_.push_back(use.holder->KeepProducer());
    }
    Lock();
    for (const Use* use = begin(); use != end(); ++use) {
      if (IsFirstOfBlock(use)) BlockOf(*use)->order().ReplaceOver(gone_);
    }
  }
  Together(const Together&) = delete;
  Together& operator=(const Together&) = delete;
  ~Together() { Unlock(); }

  void Before() const {
    AssertRuns();
    for (const Use& use : *this) use.holder->Before(*queue_, use.access);
  }
  /// Makes the queue wait for what came since Before, so that one point stands for all.
  void Gather() const {
    AssertRuns();
    for (const Use& use : *this) use.holder->block()->order().Before(*queue_, use.access);
  }
  Enqueued After() const {
    Enqueued work{queue_->Record()};
    for (const Use& use : *this) {
      if (!use.holder->After(queue_, work.point, use.access)) work.is_told = false;
    }
    return work;
  }
  /// Called while a failure half way is handled: no point stands for some of the work. It blocks,
  /// on this rare path, rather than leave the memories to later work and to their end. Where that
  /// is refused, too, the orders keep what is unknown.
  void NoteUnknown() const {
    const auto error = std::current_exception();
    if (HasEnded(*queue_)) return;
    for (const Use* use = begin(); use != end(); ++use) {
      if (IsFirstOfBlock(use)) BlockOf(*use)->order().NoteUnknown(queue_, error);
    }
  }

 private:
  void AssertRuns() const {
    queue_->AssertRuns();
    for (const Use& use : *this) use.holder->AssertRuns(*queue_);
  }

  Use* begin() const { return uses_.first; }
  Use* end() const { return uses_.first + uses_.count; }
  static Block* BlockOf(const Use& use) { return use.holder->block().get(); }

  /// Puts the uses of one block side by side, each holder once, with one access for all.
  void Sort() {
    std::sort(begin(), end(), [](const Use& one, const Use& other) {
      if (BlockOf(one) != BlockOf(other)) return std::less<>()(BlockOf(one), BlockOf(other));
      return std::less<>()(one.holder, other.holder);
    });
    for (Use* use = begin(); use != end();) use = Raise(use);
    const auto is_one = [](const Use& one, const Use& other) { return one.holder == other.holder; };
    uses_.count = static_cast<std::size_t>(std::unique(begin(), end(), is_one) - begin());
  }

  /// Gives the uses of one block the strongest access among them. Gives the end of them.
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
      if (IsFirstOfBlock(use)) BlockOf(*use)->order().mutex().lock();
    }
  }
  void Unlock() const {
    for (Use* use = end(); use != begin();) {
      --use;
      if (IsFirstOfBlock(use)) BlockOf(*use)->order().mutex().unlock();
    }
  }

  const std::shared_ptr<WorkQueue>& queue_;
  Uses uses_;
  std::vector<std::shared_ptr<void>> gone_;  ///< what is let go of without the locks
};

Enqueued Work(const std::shared_ptr<WorkQueue>& queue, Uses uses,
              const std::function<void()>& enqueue) {
  const Together together(queue, uses);
  together.Before();
  queue->Prepare();
  try {
    enqueue();
    return together.After();
  } catch (...) {
    together.NoteUnknown();
    throw;
  }
}

Enqueued Work(const std::shared_ptr<WorkQueue>& queue, Holder& target, Holder& origin,
              const std::function<void()>& enqueue) {
  Use both[] = {{&target, Access::kWrite}, {&origin, Access::kRead}};
  return Work(queue, {both, 2}, enqueue);
}

void BeforeOthers(const std::shared_ptr<WorkQueue>& queue, Uses uses) {
  Together(queue, uses).Before();
}

Enqueued AfterOthers(const std::shared_ptr<WorkQueue>& queue, Uses uses) {
  const Together together(queue, uses);
  try {
    together.Gather();
    return together.After();
  } catch (...) {
    together.NoteUnknown();
    throw;
  }
}

void AfterOthers(const std::shared_ptr<WorkQueue>& queue, Holder& holder) {
  Use use{&holder, Access::kWrite};
  AfterOthers(queue, {&use, 1});
}

}  // namespace array_interface
