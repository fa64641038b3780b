#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "device.hpp"
#include "memory/caching_allocator.hpp"
#include "memory/work.hpp"
#include "ordering/dependency_tracker.hpp"
#include "sections.hpp"
#include "test/support/check.hpp"

using namespace array_interface;

namespace {

/// Work on one memory, in the list that the test keeps.
struct Done {
  std::size_t step;
  Access access;
  const Block* block;
};

/// A random program over a few memories and queues, with a plain list of its steps. Two steps on
/// the same memory must be ordered, unless both only read.
class Program {
 public:
  explicit Program(unsigned seed) : random_(seed) {
    for (int i = 0; i < 4; ++i) {
      queues_.push_back(std::make_shared<PaperQueue>(device_, i < 2));  // the others are foreign
    }
    for (int i = 0; i < 3; ++i) {
      blocks_.push_back(Block::Borrowed(allocator_));
      owners_.push_back(std::make_unique<MemoryRef>(blocks_.back(), true));
      producers_.push_back(nullptr);
    }
    AddLoan();
  }

  void Run(int steps) {
    for (int i = 0; i < steps; ++i) {
      switch (Draw(10)) {
        case 0:
          Export();
          break;
        case 1:
          Consume();
          break;
        case 2:
          Produce();
          break;
        case 3:
          Reach();
          break;
        case 4:
          queues_[2]->Replace();
          break;
        case 5:
          Use();
          break;
        default:
          Copy();
      }
    }
  }

  int faults = 0;
  int serialised_reads = 0;

 private:
  unsigned Draw(unsigned count) { return static_cast<unsigned>(random_()) % count; }

  /// Adds a loan of another library's memory, whose producer has its own queue.
  void AddLoan() {
    blocks_.push_back(Block::Borrowed(allocator_));
    owners_.push_back(std::make_unique<MemoryRef>(blocks_.back(), true));
    producers_.push_back(queues_[3]);
    owners_.back()->Follow(queues_[3], Sync::kWait);
  }

  /// Ignores work after step `known`, which this step need not wait for.
  void Note(std::size_t step, Access access, const Block* block, std::size_t known = SIZE_MAX) {
    for (const Done& done : done_) {
      if (done.block != block || done.step > known) continue;
      if (done.access == Access::kRead && access == Access::kRead) continue;
      if (!device_.IsBefore(done.step, step)) ++faults;
    }
    done_.push_back({step, access, block});
  }

  void Copy() {
    const auto& queue = queues_[Draw(4)];
    const unsigned to = Draw(4);
    const unsigned from = Draw(4);
    std::size_t step = 0;
    Work(queue, *owners_[to], *owners_[from], [&] { step = queue->Enqueue(); });
    Note(step, Access::kWrite, blocks_[to].get());
    if (from != to) Note(step, Access::kRead, blocks_[from].get());
  }

  void Export() {
    const unsigned which = Draw(4);
    const auto queue = producers_[which] != nullptr ? producers_[which] : queues_[Draw(2)];
    owners_[which]->Export(queue);
    exported_.push_back({which, queue, queue->Enqueue()});
  }

  /// A consumer enqueues work on the queue that it read from the dict. It is ordered after all work
  /// at the time of reading, and before all later work.
  void Consume() {
    if (exported_.empty()) return;
    const auto& [which, queue, read] = exported_[Draw(static_cast<unsigned>(exported_.size()))];
    Note(queue->Enqueue(), Access::kWrite, blocks_[which].get(), read);
  }

  /// Other code uses a memory without asking, and then reports it. Later work is ordered after it
  /// and after all earlier work.
  void Use() {
    const unsigned which = Draw(4);
    const auto& queue = queues_[Draw(4)];
    done_.push_back({queue->Enqueue(), Access::kWrite, blocks_[which].get()});
    EndExternalWork(queue, *owners_[which]);
  }

  /// A producer enqueues more work on its own queue.
  void Produce() { Note(queues_[3]->Enqueue(), Access::kWrite, blocks_[3].get()); }

  /// All work on one queue ends. What the tracker drops then must have ended.
  void Reach() {
    // The recording device reports ended work as unordered if nothing waits for it, so the list
    // drops it, too.
    const auto& queue = queues_[Draw(4)];
    for (const auto& weak : queue->events) {
      if (const auto event = weak.lock()) ReachAllBefore(*event);
    }
    queue->events.clear();
  }

  void ReachAllBefore(PaperEvent& event) {
    for (const auto& queue : queues_) {
      for (const auto& weak : queue->events) {
        const auto other = weak.lock();
        if (other != nullptr && device_.IsBefore(other->step, event.step)) other->reached = true;
      }
    }
    event.reached = true;
    std::vector<Done> left;
    for (const Done& done : done_) {
      if (done.step != event.step && !device_.IsBefore(done.step, event.step)) left.push_back(done);
    }
    done_ = std::move(left);
  }

  static inline CachingAllocator& allocator_ = *new CachingAllocator;
  std::mt19937 random_;
  Device device_;
  std::vector<std::shared_ptr<PaperQueue>> queues_;
  std::vector<std::shared_ptr<Block>> blocks_;
  std::vector<std::unique_ptr<MemoryRef>> owners_;
  std::vector<std::shared_ptr<PaperQueue>> producers_;
  struct Exported {
    unsigned which;
    std::shared_ptr<PaperQueue> queue;
    std::size_t read;  ///< the last step before the dict was read
  };
  std::vector<Exported> exported_;
  std::vector<Done> done_;
};

void check_random_programs() {
  for (unsigned seed = 0; seed < 600; ++seed) {
    const Subject named("the program of seed " + std::to_string(seed));
    Program program(seed);
    program.Run(40);
    CHECK(program.faults == 0);
  }
}

void check_reads_do_not_wait_for_reads() {
  Device device;
  auto one = std::make_shared<PaperQueue>(device, true);
  auto other = std::make_shared<PaperQueue>(device, true);
  DependencyTracker order;
  order.After(one, one->Record(), Access::kWrite);
  order.Before(*one, Access::kRead);
  const std::size_t first = one->Enqueue();
  order.After(one, one->Record(), Access::kRead);
  order.Before(*other, Access::kRead);
  const std::size_t second = other->Enqueue();
  order.After(other, other->Record(), Access::kRead);
  CHECK(other->waits == 1);  // for the write
  CHECK(!device.IsBefore(first, second));
  order.Before(*one, Access::kWrite);
  CHECK(device.IsBefore(second, one->Enqueue()));
}

void check_points_do_not_become_many() {
  Device device;
  auto ours = std::make_shared<PaperQueue>(device, true);
  auto theirs = std::make_shared<PaperQueue>(device, false);
  DependencyTracker order;
  for (int i = 0; i < 1000; ++i) {
    for (const auto& queue : {ours, theirs}) {
      for (const Access access : {Access::kRead, Access::kWrite}) {
        order.Before(*queue, access);
        order.After(queue, queue->Record(), access);
      }
    }
  }
  std::size_t held = 0;
  for (const auto& queue : {ours, theirs}) {
    for (const auto& event : queue->events) held += event.expired() ? 0 : 1;
  }
  CHECK(held <= 2);
}

/// One of this library's queues that several objects represent.
class NamedQueue : public PaperQueue {
 public:
  NamedQueue(Device& device, int name) : PaperQueue(device, true), name_(name) {}
  bool IsSame(const WorkQueue& other) const noexcept override {
    const auto* const named = dynamic_cast<const NamedQueue*>(&other);
    return named != nullptr && named->name_ == name_;
  }

 private:
  int name_;
};

/// Reads are pending on two queues, each through an object of its own. The last read of each queue
/// covers all before it, and waits for none of them.
void check_objects_of_a_queue_do_not_become_many() {
  Device device;
  DependencyTracker order;
  for (int i = 0; i < 100; ++i) {
    auto queue = std::make_shared<NamedQueue>(device, i % 2);
    order.Before(*queue, Access::kRead);
    order.After(queue, queue->Record(), Access::kRead);
    CHECK(queue->waits == 0);
  }
  CHECK(order.Last().size() == 2);
}

/// Work names a memory twice, in either order, by one reference or by two, and one of the accesses
/// is a write. It is ordered as a write: after earlier reads, and before later ones.
void check_named_twice() {
  static CachingAllocator& allocator = *new CachingAllocator;
  for (unsigned which = 0; which < 16; ++which) {
    const Subject named("the memory that is named twice, case " + std::to_string(which));
    Device device;
    auto queue = std::make_shared<PaperQueue>(device, true);
    auto other = std::make_shared<PaperQueue>(device, true);
    auto last = std::make_shared<PaperQueue>(device, true);
    auto block = Block::Borrowed(allocator);
    MemoryRef one(block, true);
    MemoryRef two(block, true);
    MemoryRef elsewhere(Block::Borrowed(allocator), true);
    const auto read = [&](const std::shared_ptr<PaperQueue>& on) {
      std::size_t step = 0;
      Use use{&one, Access::kRead};
      Work(on, {&use, 1}, [&] { step = on->Enqueue(); });
      return step;
    };
    const std::size_t before = read(other);
    std::vector<Use> uses = {{&one, Access::kRead},
                             {(which & 1) != 0 ? &two : &one, Access::kWrite}};
    if ((which & 2) != 0) std::swap(uses[0], uses[1]);
    if ((which & 4) != 0) uses.insert(uses.begin() + 1, {&elsewhere, Access::kRead});
    if ((which & 8) != 0) uses.push_back({&two, Access::kRead});
    std::size_t step = 0;
    Work(queue, {uses.data(), uses.size()}, [&] { step = queue->Enqueue(); });
    CHECK(device.IsBefore(before, step));
    CHECK(device.IsBefore(step, read(last)));
  }
}

/// Of many queues with one read that has ended, few are kept.
void check_queues_do_not_become_many() {
  Device device;
  DependencyTracker order;
  std::vector<std::weak_ptr<PaperQueue>> queues;
  for (int i = 0; i < 100; ++i) {
    auto queue = std::make_shared<PaperQueue>(device, false);
    order.Before(*queue, Access::kRead);
    order.After(queue, queue->Record(), Access::kRead);
    if (const auto event = queue->events.back().lock()) event->reached = true;
    queues.push_back(queue);
  }
  std::size_t held = 0;
  for (const auto& queue : queues) held += queue.expired() ? 0 : 1;
  CHECK(held <= 5);
}

void check_captured() {
  const Subject named("memory that ends while a queue that consumers know is captured");
  Device device;
  auto queue = std::make_shared<PaperQueue>(device, true);
  auto other = std::make_shared<PaperQueue>(device, true);
  DependencyTracker order;
  order.Export(queue);
  queue->is_captured = true;
  CHECK(refusal([&] { order.AssertRuns(); }) == "captured");
  const PendingWork rest = order.End();
  CHECK(rest.events.empty());
  CHECK(rest.unmarked.size() == 1);
}

void check_end() {
  const Subject named("memory that ends: it stays until our work and its consumers' have ended");
  Device device;
  auto queue = std::make_shared<PaperQueue>(device, true);
  auto exported = std::make_shared<PaperQueue>(device, true);
  DependencyTracker order;
  order.After(queue, queue->Record(), Access::kWrite);
  order.Export(exported);
  const std::size_t consumed = exported->Enqueue();
  const PendingWork rest = order.End();
  CHECK(rest.events.size() == 2);  // this library's and the exported queue's
  bool is_after_consumer = false;
  for (const auto& event : rest.events) {
    const auto& paper = static_cast<const PaperEvent&>(*event);
    is_after_consumer = is_after_consumer || device.IsBefore(consumed, paper.step);
  }
  CHECK(is_after_consumer);
  CHECK(order.Pending().empty());
}

/// Whether the tracker's mutex is free; otherwise later work would wait for ever.
bool IsUnlocked(const MemoryRef& ref) {
  return std::unique_lock(ref.block()->tracker().mutex(), std::try_to_lock).owns_lock();
}

/// Work is reported as not told if the peers of any one of its memories did not learn of it.
void check_told() {
  struct Guests : IpcPeers {
    void Before(WorkQueue&) override {}
    bool After(WorkQueue&) override { return hears; }
    bool Tell() override { return true; }
    Events Pending() override { return {}; }
    bool HaveLeft() noexcept override { return true; }
    bool hears = true;
  };
  static CachingAllocator& allocator = *new CachingAllocator;
  constexpr unsigned kMemories = 3;
  Device device;
  auto queue = std::make_shared<PaperQueue>(device, true);
  for (unsigned deaf = 0; deaf < 1 << kMemories; ++deaf) {
    const Subject named("work on three memories, of which others do not hear of " +
                        std::to_string(deaf) + ", by bits");
    std::vector<std::unique_ptr<MemoryRef>> refs;
    std::vector<Use> uses;
    for (unsigned i = 0; i < kMemories; ++i) {
      refs.push_back(std::make_unique<MemoryRef>(Block::Borrowed(allocator), true));
      uses.push_back({refs.back().get(), i == 0 ? Access::kWrite : Access::kRead});
      const auto guests = std::make_shared<Guests>();
      guests->hears = (deaf >> i & 1) == 0;
      refs.back()->block()->set_peers(guests);
    }
    CHECK(Work(queue, {uses.data(), uses.size()}, [] {}).is_notified == (deaf == 0));
    CHECK(EndExternalWork(queue, {uses.data(), uses.size()}).is_notified == (deaf == 0));
  }
}

/// A failure in the middle of work waits for what may have been enqueued, and reports the failure.
void check_failure() {
  static CachingAllocator& allocator = *new CachingAllocator;
  Device device;
  auto queue = std::make_shared<PaperQueue>(device, true);
  MemoryRef ref(Block::Borrowed(allocator), true);
  const auto fail = [&] {
    Work(queue, ref, ref, [] { throw std::invalid_argument("on purpose"); });
  };
  CHECK(refusal(fail) == "on purpose");
  CHECK(queue->synchronized == 1);
  CHECK(IsUnlocked(ref));
}

/// External work that cannot be recorded is waited for, since nothing else would keep the memory.
void check_unnoted() {
  static CachingAllocator& allocator = *new CachingAllocator;
  Device device;
  auto queue = std::make_shared<PaperQueue>(device, true);
  queue->gives_no_event = true;
  MemoryRef ref(Block::Borrowed(allocator), true);
  CHECK(refusal([&] { EndExternalWork(queue, ref); }) == "no point");
  CHECK(queue->synchronized == 1);
  CHECK(IsUnlocked(ref));
  EndExternalWork(std::make_shared<PaperQueue>(device, true), Uses{nullptr, 0});
}

/// If neither an event nor a wait is possible, work stays unknown. Later work, and freeing the
/// memory, is ordered after it or is refused.
void check_unknown(bool is_kept) {
  const Subject named(is_kept ? "a queue of ours" : "a stranger's queue");
  static CachingAllocator& allocator = *new CachingAllocator;
  Device device;
  auto queue = std::make_shared<PaperQueue>(device, is_kept);
  auto other = std::make_shared<PaperQueue>(device, true);
  MemoryRef ref(Block::Borrowed(allocator), true);
  std::size_t unknown = 0;
  queue->gives_no_event = true;
  queue->refuses_to_wait = true;
  CHECK(refusal([&] { Work(queue, ref, ref, [&] { unknown = queue->Enqueue(); }); }) == "no point");
  CHECK(refusal([&] { Work(other, ref, ref, [] {}); }) == "no point");
  queue->gives_no_event = false;
  std::size_t later = 0;
  const auto work = [&] { Work(other, ref, ref, [&] { later = other->Enqueue(); }); };
  if (!is_kept) {  // its handle may belong to another queue by now
    CHECK(refusal(work) == "no point");
  } else {
    work();
    CHECK(device.IsBefore(unknown, later));
  }
  PendingWork rest = ref.block()->tracker().End();
  CHECK(!rest.IsEmpty());
  const auto reach = [](PaperQueue& of) {
    for (const auto& weak : of.events) {
      if (const auto event = weak.lock()) event->reached = true;
    }
  };
  CHECK(rest.Poll() == (is_kept ? Progress::kPending : Progress::kUnknown));
  reach(*queue);
  reach(*other);
  CHECK(rest.Poll() == (is_kept ? Progress::kComplete : Progress::kUnknown));
}

/// An event of unknown state does not count as complete, and is polled again.
void check_untold() {
  Device device;
  auto queue = std::make_shared<PaperQueue>(device, true);
  DependencyTracker order;
  order.After(queue, queue->Record(), Access::kWrite);
  const auto event = queue->events.back().lock();
  event->is_unknown = true;
  event->reached = true;
  CHECK(order.Pending().size() == 1);
  CHECK(order.TakeEnded().empty());
  PendingWork rest = order.End();
  CHECK(rest.Poll() == Progress::kUnknown);
  event->is_unknown = false;
  CHECK(rest.Poll() == Progress::kComplete);
}

/// Work after a failure waits for the failed event, so that it sees the failure.
void check_failed_event() {
  const Subject named("work that failed");
  Device device;
  auto queue = std::make_shared<PaperQueue>(device, true);
  auto other = std::make_shared<PaperQueue>(device, true);
  for (const Access access : {Access::kRead, Access::kWrite}) {
    DependencyTracker order;
    order.After(queue, queue->Record(), access);
    const auto event = queue->events.back().lock();
    event->reached = true;
    event->has_failed = true;
    CHECK(order.TakeEnded().empty());
    other->waits = 0;
    order.Before(*other, Access::kWrite);
    CHECK(other->waits == 1);
    event->has_failed = false;
    CHECK(!order.TakeEnded().empty());
  }
}

/// An object that is kept beside memory is ordered after everything that the memory is.
void check_copied() {
  const Subject named("the order of what is kept beside a memory");
  Device device;
  auto exported = std::make_shared<PaperQueue>(device, true);
  auto over = std::make_shared<PaperQueue>(device, true);
  auto writer = std::make_shared<PaperQueue>(device, true);
  auto reader = std::make_shared<PaperQueue>(device, true);
  DependencyTracker order;
  const std::size_t written = writer->Enqueue();
  order.After(writer, writer->Record(), Access::kWrite);
  order.Before(*reader, Access::kRead);
  const std::size_t read = reader->Enqueue();
  order.After(reader, reader->Record(), Access::kRead);
  order.Export(over);
  const std::size_t gone = over->Enqueue();
  over->is_over = true;
  std::vector<std::shared_ptr<void>> let_go;
  order.ReplaceOver(let_go);
  CHECK(let_go.size() == 1 && let_go[0].get() == over.get());  // destroyed without the mutex
  order.Export(exported);
  DependencyTracker copy;
  copy.Copy(order);
  const std::size_t consumed = exported->Enqueue();
  auto last = std::make_shared<PaperQueue>(device, true);
  copy.Before(*last, Access::kWrite);
  const std::size_t step = last->Enqueue();
  for (const std::size_t one : {written, read, gone, consumed}) CHECK(device.IsBefore(one, step));
  CHECK(copy.End().events.size() == order.End().events.size());
}

/// Of the exported queues that are over, few are kept. Later work, and freeing the memory, is
/// ordered after consumers' work there.
void check_named_queues_do_not_become_many() {
  static CachingAllocator& allocator = *new CachingAllocator;
  Device device;
  auto ours = std::make_shared<PaperQueue>(device, true);
  MemoryRef ref(Block::Borrowed(allocator), true);
  std::vector<std::weak_ptr<PaperQueue>> named;
  std::vector<std::size_t> consumed;
  for (int i = 0; i < 100; ++i) {
    auto queue = std::make_shared<PaperQueue>(device, true);
    ref.Export(queue);
    consumed.push_back(queue->Enqueue());
    queue->is_over = true;
    named.push_back(queue);
  }
  std::size_t held = 0;
  for (const auto& queue : named) held += queue.expired() ? 0 : 1;
  CHECK(held <= 2);  // even if there is no work on the memory
  ours->waits = 0;
  std::size_t step = 0;
  Work(ours, ref, ref, [&] { step = ours->Enqueue(); });
  for (const std::size_t one : consumed) CHECK(device.IsBefore(one, step));
  for (const auto& queue : named) CHECK(queue.expired());
  ours->waits = 0;
  Work(ours, ref, ref, [] {});
  CHECK(ours->waits == 0);
  auto last = std::make_shared<PaperQueue>(device, true);
  ref.Export(last);
  last->Enqueue();
  last->is_over = true;
  Work(ours, ref, ref, [] {});  // its event also covers the last queue
  CHECK(ref.block()->tracker().End().events.size() == 1);
}

/// A queue that is over but cannot record an event is kept. Work is refused until it can, and is
/// then ordered after consumers' work there.
void check_over_without_event() {
  static CachingAllocator& allocator = *new CachingAllocator;
  Device device;
  auto ours = std::make_shared<PaperQueue>(device, true);
  auto named = std::make_shared<PaperQueue>(device, true);
  MemoryRef ref(Block::Borrowed(allocator), true);
  ref.Export(named);
  const std::size_t consumed = named->Enqueue();
  named->is_over = true;
  named->gives_no_event = true;
  std::size_t step = 0;
  const auto work = [&] { Work(ours, ref, ref, [&] { step = ours->Enqueue(); }); };
  CHECK(refusal(work) == "no point");
  named->gives_no_event = false;
  work();
  CHECK(device.IsBefore(consumed, step));
  const std::weak_ptr<PaperQueue> known = std::exchange(named, nullptr);
  CHECK(known.expired());
}

/// Work on a lost device does not run, and keeps nothing.
void check_lost() {
  Device device;
  auto queue = std::make_shared<PaperQueue>(device, true);
  DependencyTracker order;
  order.Export(queue);
  queue->gives_no_event = true;
  queue->is_lost = true;
  CHECK(order.End().IsEmpty());
}

}  // namespace

void check_order() {
  check_reads_do_not_wait_for_reads();
  check_points_do_not_become_many();
  check_queues_do_not_become_many();
  check_objects_of_a_queue_do_not_become_many();
  check_named_twice();
  check_captured();
  check_end();
  check_told();
  check_failure();
  check_unnoted();
  check_unknown(true);
  check_unknown(false);
  check_untold();
  check_failed_event();
  check_copied();
  check_named_queues_do_not_become_many();
  check_over_without_event();
  check_lost();
  check_random_programs();
}
