#include "memory/work.hpp"

#include <algorithm>
#include <functional>
#include <mutex>

namespace array_interface {

namespace {

/// Called after a failure half way: no point stands for some of the work, so nobody could wait for
/// it before the memory goes. It blocks, on this rare path, rather than free memory under that
/// work.
void WaitForUnknown(WorkQueue& queue) noexcept {
  try {
    if (queue.Runs()) queue.Synchronize();
  } catch (...) {
    // a device that failed runs nothing any more
  }
}

}  // namespace

/// The memories of one piece of work, with their orders locked, in the same sequence on all
/// threads.
class Together {
 public:
  Together(const std::shared_ptr<WorkQueue>& queue, Uses uses) : queue_(queue), uses_(uses) {
    Sort();
    Lock();
    try {
      queue->AssertRuns();
      for (const Use& use : *this) use.holder->AssertRuns(*queue);
    } catch (...) {
      Unlock();
      throw;
    }
  }
  Together(const Together&) = delete;
  Together& operator=(const Together&) = delete;
  ~Together() { Unlock(); }

  void Before() const {
    for (const Use& use : *this) use.holder->Before(*queue_, use.access);
  }
  /// Makes the queue wait for what came since Before, so that one point stands for all.
  void Gather() const {
    for (const Use& use : *this) use.holder->block()->order().Before(*queue_, use.access);
  }
  std::shared_ptr<Point> After() const {
    auto point = queue_->Record();
    for (const Use& use : *this) use.holder->After(queue_, point, use.access);
    return point;
  }

 private:
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
};

std::shared_ptr<Point> Work(const std::shared_ptr<WorkQueue>& queue, Uses uses,
                            const std::function<void()>& enqueue) {
  const Together together(queue, uses);
  together.Before();
  try {
    enqueue();
    return together.After();
  } catch (...) {
    WaitForUnknown(*queue);
    throw;
  }
}

void Work(const std::shared_ptr<WorkQueue>& queue, Holder& target, Holder& origin,
          const std::function<void()>& enqueue) {
  Use both[] = {{&target, Access::kWrite}, {&origin, Access::kRead}};
  Work(queue, {both, 2}, enqueue);
}

void BeforeOthers(const std::shared_ptr<WorkQueue>& queue, Uses uses) {
  Together(queue, uses).Before();
}

void AfterOthers(const std::shared_ptr<WorkQueue>& queue, Uses uses) {
  try {
    const Together together(queue, uses);
    together.Gather();
    together.After();
  } catch (...) {
    WaitForUnknown(*queue);
    throw;
  }
}

void AfterOthers(const std::shared_ptr<WorkQueue>& queue, Holder& holder) {
  Use use{&holder, Access::kWrite};
  AfterOthers(queue, {&use, 1});
}

}  // namespace array_interface
