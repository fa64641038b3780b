#include "memory/caching_allocator.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "device.hpp"
#include "memory/caching_allocator/release_counter.hpp"
#include "memory/work.hpp"
#include "sections.hpp"
#include "test/support/check.hpp"
#include "without_threads.hpp"

using namespace array_interface;
using Counts = PaperAllocation::Counts;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kLong{20'000};

/// Allocators outlive their threads, so none is ever destroyed.
CachingAllocator& NewAllocator() {
  static auto& all = *new std::vector<CachingAllocator*>;  // so that none is reported as a leak
  all.push_back(new CachingAllocator);
  return *all.back();
}

bool Eventually(const std::function<bool()>& is_so) {
  const auto limit = std::chrono::steady_clock::now() + kLong;
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

std::unique_ptr<MemoryRef> Hold(CachingAllocator& allocator, Counts& counts, const void* device,
                                std::size_t size, std::size_t kept_at_most = 0) {
  return std::make_unique<MemoryRef>(
      Block::Of(allocator, std::make_unique<PaperAllocation>(counts, device, size, kept_at_most)),
      true);
}

/// Enqueues work that ends when a test sets its event.
std::shared_ptr<PaperEvent> Use(MemoryRef& ref, const std::shared_ptr<PaperQueue>& queue) {
  Work(queue, ref, ref, [] {});
  return queue->events.back().lock();
}

/// Memory is freed in the order in which work ends, not in the order in which it was given up.
void check_any_order() {
  CachingAllocator& allocator = NewAllocator();
  static Counts counts;
  Device device;
  auto one = std::make_shared<PaperQueue>(device, true);
  auto other = std::make_shared<PaperQueue>(device, true);
  auto first = Hold(allocator, counts, &one, 8);
  auto second = Hold(allocator, counts, &one, 8);
  const auto long_work = Use(*first, one);
  const auto short_work = Use(*second, other);
  first->End();
  second->End();
  Hold(allocator, counts, &one, 8)->End();  // no work uses it
  CHECK(Eventually([] { return counts.released == 1; }));
  CHECK(Eventually([&] { return allocator.PendingBytes(&one) == 16; }));
  short_work->reached = true;
  CHECK(Eventually([] { return counts.released == 2; }));
  long_work->reached = true;
  CHECK(Eventually([] { return counts.released == 3; }));
}

/// A release that blocks on other libraries' work delays only releases on the same device, and no
/// reuse.
void check_slow_release() {
  CachingAllocator& allocator = NewAllocator();
  static Counts slow;
  static Counts quick;
  int here = 0;
  int there = 0;
  slow.is_slow = true;
  Hold(allocator, slow, &here, 8)->End();
  Hold(allocator, slow, &here, 8)->End();
  CHECK(Eventually([] { return slow.releasing == 1; }));
  Hold(allocator, quick, &there, 8)->End();
  CHECK(Eventually([] { return quick.released == 1; }));
  for (int i = 0; i < 100; ++i) {  // as staging buffers do while a device is blocked
    auto tried = allocator.Try(&here, 1, 16, milliseconds(0), [&] {
      return std::make_unique<PaperAllocation>(quick, &here, 16, 64);
    });
    MemoryRef(Block::Of(allocator, std::move(tried.allocation)), true).End();
  }
  CHECK(quick.made == 2);
  CHECK(slow.releasing == 1);  // one thread for each device
  const auto none = [] { return nullptr; };
  auto used = allocator.Try(&here, 1, 16, milliseconds(0), none);
  CHECK(used.allocation != nullptr);
  CHECK(allocator.PendingBytes(&here) ==
        16);  // those of the slow ones: reused memory is not pending
  MemoryRef(Block::Of(allocator, std::move(used.allocation)), true).End();
  slow.is_slow = false;
  CHECK(Eventually([] { return slow.released == 2; }));
}

/// Memory that waits for its release and is used again is no longer pending.
void check_used_before_its_release() {
  const Subject named("memory that is used again before its release");
  CachingAllocator& allocator = NewAllocator();
  static Counts slow;
  static Counts waiting;
  int device = 0;
  slow.is_slow = true;
  Hold(allocator, slow, &device, 8)->End();
  CHECK(Eventually([] { return slow.releasing == 1; }));
  Hold(allocator, waiting, &device, 16, 64)->End();
  allocator.ReleaseCached(&device);  // queued behind the slow one
  CHECK(allocator.PendingBytes(&device) == 24);
  auto used = allocator.Try(&device, 1, 16, milliseconds(0), [] { return nullptr; });
  CHECK(used.allocation != nullptr);
  CHECK(allocator.PendingBytes(&device) == 8);
  CHECK(allocator.releasing() == 1);
  MemoryRef(Block::Of(allocator, std::move(used.allocation)), true).End();
  slow.is_slow = false;
  CHECK(Eventually([&] { return allocator.PendingBytes(&device) == 0; }));
  CHECK(slow.released == 1 && allocator.kept() == 1);
}

void check_kept() {
  CachingAllocator& allocator = NewAllocator();
  static Counts counts;
  int device = 0;
  for (int i = 0; i < 5; ++i) Hold(allocator, counts, &device, 30, 100)->End();
  CHECK(allocator.kept() == 3);
  CHECK(Eventually([] { return counts.released == 2; }));
  const auto none = [] { return nullptr; };
  CHECK(allocator.Try(&counts, 1, 30, milliseconds(0), none).allocation == nullptr);  // elsewhere
  CHECK(Eventually([&] { return allocator.PendingBytes(nullptr) == 0; }));
  CHECK(allocator.Try(&device, 2, 30, milliseconds(0), none).allocation ==
        nullptr);                // another kind
  CHECK(allocator.kept() == 0);  // a failed attempt releases all of the device
  CHECK(Eventually([] { return counts.released == 5; }));
  Hold(allocator, counts, &device, 101, 100)->End();  // more than the limit
  CHECK(Eventually([] { return counts.released == 6; }));
  Hold(allocator, counts, &device, 30, 100)->End();
  allocator.ReleaseCached();
  CHECK(Eventually([] { return counts.released == 7; }));
}

/// The oldest allocation is evicted for a new one, so sizes that are no longer needed do not fill
/// the cache.
void check_oldest_goes() {
  const Subject named("memory of another size, when as much is kept as may be");
  CachingAllocator& allocator = NewAllocator();
  static Counts counts;
  int device = 0;
  for (int i = 0; i < 3; ++i) Hold(allocator, counts, &device, 30, 100)->End();
  Hold(allocator, counts, &device, 40, 100)->End();
  CHECK(Eventually([] { return counts.released == 1; }));
  const auto none = [] { return nullptr; };
  CHECK(allocator.Try(&device, 1, 40, milliseconds(0), none).allocation != nullptr);
  CHECK(allocator.kept() == 2);
}

/// The cost of allocating and freeing a block does not depend on how much is cached.
void check_many_kept() {
  const Subject named("looks at memory that is kept");
  CachingAllocator& allocator = NewAllocator();
  static Counts counts;
  constexpr int kMany = 2000;
  int device = 0;
  for (int i = 1; i <= kMany; ++i)
    Hold(allocator, counts, &device, i, std::size_t{kMany} * kMany)->End();
  CHECK(allocator.kept() == kMany);
  CHECK(counts.polls <= 4 * kMany);
}

/// The limit applies to the bytes that the device reserves.
void check_pieces() {
  const Subject named("memory that takes more of the device than was asked for");
  CachingAllocator& allocator = NewAllocator();
  static Counts counts;
  counts.piece = 100;
  int device = 0;
  for (int i = 1; i <= 20; ++i) Hold(allocator, counts, &device, i, 1000)->End();
  CHECK(allocator.kept() == 10);
  CHECK(Eventually([] { return counts.released == 10; }));
}

/// Nothing is cached of a device that was removed, even if it is freed later.
void check_forgotten() {
  const Subject named("memory of a place that was left");
  CachingAllocator& allocator = NewAllocator();
  static Counts counts;
  Device device;
  auto queue = std::make_shared<PaperQueue>(device, true);
  auto kept = Hold(allocator, counts, &device, 8, 100);
  auto pending = Hold(allocator, counts, &device, 8, 100);
  const auto work = Use(*pending, queue);
  kept->End();
  pending->End();
  CHECK(allocator.kept() == 1);
  counts.has_left = true;
  allocator.Forget(&device);
  CHECK(allocator.kept() == 0);
  CHECK(Eventually([] { return counts.released == 1; }));
  work->reached = true;
  CHECK(Eventually([] { return counts.released == 2; }));
  CHECK(allocator.kept() == 0);
}

std::ptrdiff_t CountThreads() {
  using Tasks = std::filesystem::directory_iterator;
  return std::distance(Tasks("/proc/self/task"), Tasks());
}

/// No thread waits for more memory of a removed device. Must run before other checks leave threads.
void check_threads_of_forgotten() {
  const Subject named("threads of a place that was left");
  CachingAllocator& allocator = NewAllocator();
  static Counts counts;
  int device = 0;
  Hold(allocator, counts, &device, 8, 100)->End();
  const auto before = CountThreads();
  counts.has_left = true;
  allocator.Forget(&device);
  CHECK(Eventually([] { return counts.released == 1; }));
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (CountThreads() > before && std::chrono::steady_clock::now() < limit) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  CHECK(CountThreads() == before);
}

/// While the system refuses threads, memory is not released, even if it is not used again. Each way
/// to request memory or its release starts the threads once the system allows it.
void check_without_threads() {
  using Ask = std::function<void(CachingAllocator&, std::uint64_t seen)>;
  static int device = 0;
  const auto none = [] { return nullptr; };
  const std::pair<const char*, Ask> ways[] = {
      {"HasReturned", [](auto& allocator, auto seen) { allocator.HasReturned(seen); }},
      {"HasReleased", [](auto& allocator, auto) { allocator.HasReleased(); }},
      {"PollEagerly", [](auto& allocator, auto) { allocator.PollEagerly(); }},
      {"ReleaseCached", [](auto& allocator, auto) { allocator.ReleaseCached(); }},
      {"Try", [&](auto& allocator, auto) { allocator.Try(&device, 9, 1, milliseconds(0), none); }},
  };
  for (const auto& [name, ask] : ways) {
    const Subject named(std::string("memory while there are no threads, and then ") + name);
    CachingAllocator& allocator = NewAllocator();
    auto& counts = *new Counts;  // threads outlive this scope
    static auto& all = *new std::vector<Counts*>;
    all.push_back(&counts);
    Device device;
    auto queue = std::make_shared<PaperQueue>(device, true);
    std::uint64_t seen = 0;
    std::unique_ptr<Allocation> used;
    {
      const WithoutThreads refused;
      for (const std::size_t size : {16, 24, 32})
        Hold(allocator, counts, &device, size, 100)->End();
      allocator.ReleaseCached(&device);
      seen = allocator.returned();
      used = allocator.Try(&device, 1, 24, milliseconds(0), none).allocation;
      CHECK(used != nullptr && used->size() == 24);
      CHECK(allocator.releasing() == 2);
      CHECK(allocator.PendingBytes(&device) == 48);
      auto watched = Hold(allocator, counts, &device, 8);
      const auto work = Use(*watched, queue);
      watched->End();
      work->reached = true;
      ask(allocator, seen);
      CHECK(counts.released == 0);
    }
    ask(allocator, seen);
    CHECK(Eventually([&] { return counts.released == 3; }));
    CHECK(Eventually([&] { return allocator.PendingBytes(&device) == 0; }));
    MemoryRef(Block::Of(allocator, std::move(used)), true).End();
    CHECK(allocator.kept() == 1);
  }
}

/// Objects that many threads keep for good at once stay alive. The loop runs for longer than one
/// time slice of a thread.
void check_kept_for_good() {
  const Subject named("what several threads keep for good");
  constexpr int kThreads = 4;
  constexpr long kTimes = 200'000;
  std::vector<std::shared_ptr<int>> things;
  things.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) things.push_back(std::make_shared<int>(i));
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  std::atomic<int> ready{0};
  for (auto& own : things) {
    threads.emplace_back([&own, &ready] {
      for (++ready; ready < kThreads;) std::this_thread::yield();
      for (long i = 0; i < kTimes; ++i) KeepForGood(own);
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& thing : things) CHECK(thing.use_count() == 1 + kTimes);
}

/// An attempt fails only after pending memory has been freed, or the timeout is over.
void check_out_of_memory() {
  CachingAllocator& allocator = NewAllocator();
  static Counts counts;
  Device device;
  auto queue = std::make_shared<PaperQueue>(device, true);
  auto ref = Hold(allocator, counts, &device, 8);
  const auto work = Use(*ref, queue);
  const auto allocate = [&]() -> std::unique_ptr<Allocation> {
    if (counts.made > counts.released) return nullptr;
    return std::make_unique<PaperAllocation>(counts, &device, 8, 0);
  };
  const auto full = allocator.Try(&device, 1, 8, kLong, allocate);  // nothing is pending
  CHECK(full.allocation == nullptr && full.pending_bytes == 0);
  ref->End();
  const auto impatient = allocator.Try(&device, 1, 8, milliseconds(5), allocate);
  CHECK(impatient.allocation == nullptr && impatient.pending_bytes == 8);
  CHECK(!allocator.HasReturned(impatient.seen));
  std::thread later([&] {
    std::this_thread::sleep_for(milliseconds(20));
    work->reached = true;
  });
  CHECK(allocator.Try(&device, 1, 8, kLong, allocate).allocation != nullptr);
  CHECK(allocator.HasReturned(impatient.seen));
  later.join();
}

/// If memory is freed between an attempt and the check of pending bytes, Try makes one more
/// attempt, even if nothing is pending by then.
void check_returned_meanwhile() {
  CachingAllocator& allocator = NewAllocator();
  static Counts counts;
  auto ref = Hold(allocator, counts, &counts, 8);
  int attempts = 0;
  const auto allocate = [&]() -> std::unique_ptr<Allocation> {
    if (++attempts > 1) return std::make_unique<PaperAllocation>(counts, &counts, 8, 0);
    ref->End();
    CHECK(Eventually([&] { return counts.released == 1 && allocator.PendingBytes(&counts) == 0; }));
    return nullptr;
  };
  CHECK(allocator.Try(&counts, 1, 8, milliseconds(0), allocate).allocation != nullptr);
}

/// Try polls events of unknown state again, since their last poll can be long ago.
void check_asked_again() {
  CachingAllocator& allocator = NewAllocator();
  static Counts counts;
  Device device;
  auto queue = std::make_shared<PaperQueue>(device, true);
  auto ref = Hold(allocator, counts, &device, 8);
  const auto event = Use(*ref, queue);
  event->is_unknown = true;
  event->reached = true;
  ref->End();
  CHECK(Eventually([&] { return event->asked > 10; }));  // the next poll is half a second later
  CHECK(allocator.PendingBytes(&device) == 0);
  event->is_unknown = false;
  const auto allocate = [&]() -> std::unique_ptr<Allocation> {
    if (counts.made > counts.released) return nullptr;
    return std::make_unique<PaperAllocation>(counts, &device, 8, 0);
  };
  CHECK(allocator.Try(&device, 1, 8, kLong, allocate).allocation != nullptr);
}

/// Memory that other processes have open is kept, and does not count as pending.
void check_peers() {
  struct Guests : IpcPeers {
    void Before(WorkQueue&) override {}
    bool After(WorkQueue&) override { return true; }
    bool Tell() override { return true; }
    Events Pending() override { return {}; }
    bool HaveLeft() noexcept override { return left; }
    std::atomic<bool> left{false};
  };
  CachingAllocator& allocator = NewAllocator();
  static Counts counts;
  const auto guests = std::make_shared<Guests>();
  auto ref = Hold(allocator, counts, &counts, 8);
  ref->block()->set_peers(guests);
  ref->End();
  std::this_thread::sleep_for(milliseconds(20));
  CHECK(counts.released == 0);
  CHECK(Eventually([&] { return allocator.PendingBytes(&counts) == 0; }));
  guests->left = true;
  allocator.PollSoon();
  CHECK(Eventually([] { return counts.released == 1; }));
}

/// An object that must live while work is pending does so, even beyond the loan's end, and is then
/// released.
void check_kept_while_pending() {
  CachingAllocator& allocator = NewAllocator();
  Device device;
  auto queue = std::make_shared<PaperQueue>(device, true);
  std::weak_ptr<int> producer;
  MemoryRef loan(Block::Borrowed(allocator), true);
  loan.set_keep([&] {
    auto kept = std::make_shared<int>(1);
    producer = kept;
    return kept;
  });
  CHECK(producer.expired());
  const auto first = Use(loan, queue);
  CHECK(Eventually([&] { return first->asked > 3; }));
  CHECK(!producer.expired());
  first->reached = true;
  CHECK(Eventually([&] { return producer.expired(); }));
  const auto second = Use(loan, queue);
  CHECK(Eventually([&] { return second->asked > 3; }));
  loan.End();
  const int asked = second->asked;
  CHECK(Eventually([&] { return second->asked > asked + 3; }));
  CHECK(!producer.expired());
  second->reached = true;
  CHECK(Eventually([&] { return producer.expired(); }));
}

/// The object of a loan of this library's memory is released after the work that is pending at the
/// loan's end, whoever uses the block then. It is not released before the last copy of the loan's
/// pointer.
void check_with_an_object(bool is_ours) {
  CachingAllocator& allocator = NewAllocator();
  static Counts counts;
  Device device;
  auto queue = std::make_shared<PaperQueue>(device, true);
  auto block = is_ours
                   ? Block::Of(allocator, std::make_unique<PaperAllocation>(counts, &device, 8, 0))
                   : Block::Borrowed(allocator);
  auto object = std::make_shared<int>(1);
  const std::weak_ptr<int> known = object;
  MemoryRef owner(block, true);
  auto with = Block::With(std::exchange(block, nullptr), std::exchange(object, nullptr));
  CHECK(with.get() == owner.block().get());
  MemoryRef loan(std::exchange(with, nullptr), false);
  auto consumers = loan.block();
  loan.Export(queue);
  loan.End();
  queue->Enqueue();
  CHECK(!known.expired());
  consumers = nullptr;
  const auto theirs = queue->events.back().lock();
  const auto later = Use(owner, queue);
  std::this_thread::sleep_for(milliseconds(20));
  CHECK(!known.expired());
  theirs->reached = true;
  CHECK(Eventually([&] { return known.expired(); }));
  CHECK(!owner.ended());
  later->reached = true;
  owner.End();
}

/// A queue whose destructor checks whether a tracker's mutex is free.
class AskingQueue : public PaperQueue {
 public:
  AskingQueue(Device& device, std::mutex& mutex, std::atomic<int>& free)
      : PaperQueue(device, true), mutex_(mutex), free_(free) {}
  ~AskingQueue() override {
    std::thread([this] {
      const std::unique_lock lock(mutex_, std::try_to_lock);
      free_ = lock.owns_lock() ? 1 : 0;
    }).join();
  }

 private:
  std::mutex& mutex_;
  std::atomic<int>& free_;
};

/// The last reference to a queue is released without the tracker's mutex, since its destructor may
/// block.
void check_last_of_a_queue() {
  CachingAllocator& allocator = NewAllocator();
  Device device;
  std::atomic<int> free{-1};
  MemoryRef loan(Block::Borrowed(allocator), true);
  auto& mutex = loan.block()->tracker().mutex();
  bool is_free = false;
  loan.set_keep([&] {  // it may call into JavaScript, which may call this library
    std::thread([&] { is_free = std::unique_lock(mutex, std::try_to_lock).owns_lock(); }).join();
    return std::make_shared<int>(1);
  });
  auto queue = std::make_shared<AskingQueue>(device, mutex, free);
  const auto event = Use(loan, queue);
  CHECK(is_free);
  queue = nullptr;
  CHECK(free == -1);
  event->reached = true;
  CHECK(Eventually([&] { return free != -1; }));
  CHECK(free == 1);
  loan.End();
}

/// Memory is kept while the state of a queue's work on it is unknown, and attempts do not wait for
/// it.
void check_unknown_memory() {
  CachingAllocator& allocator = NewAllocator();
  static Counts counts;
  Device device;
  auto queue = std::make_shared<PaperQueue>(device, true);
  auto named = Hold(allocator, counts, &device, 8);
  named->Export(queue);
  queue->gives_no_event = true;
  named->End();
  const auto eager_polling = allocator.PollEagerly();
  CHECK(Eventually([&] { return queue->asked > 40; }));
  CHECK(allocator.PendingBytes(&device) == 0);
  CHECK(counts.released == 0);
  queue->gives_no_event = false;
  CHECK(Eventually([&] { return allocator.PendingBytes(&device) == 8; }));
  for (const auto& weak : queue->events) {
    if (const auto event = weak.lock()) event->reached = true;
  }
  CHECK(Eventually([] { return counts.released == 1; }));
  auto untold = Hold(allocator, counts, &device, 8);
  const auto event = Use(*untold, queue);
  event->is_unknown = true;
  event->reached = true;
  untold->End();
  CHECK(Eventually([&] { return allocator.PendingBytes(&device) == 0; }));
  CHECK(counts.released == 1);
  event->is_unknown = false;
  CHECK(Eventually([] { return counts.released == 2; }));
}

/// The last environment waits for pending memory, but no longer than the timeout.
void check_leave() {
  CachingAllocator& allocator = NewAllocator();
  static Counts counts;
  allocator.Enter();
  allocator.Enter();
  Hold(allocator, counts, &counts, 30, 100)->End();
  allocator.Leave(kLong);
  CHECK(allocator.kept() == 1);  // another environment remains
  allocator.Leave(kLong);
  CHECK(counts.released == 1);
  counts.is_slow = true;
  allocator.Enter();
  Hold(allocator, counts, &counts, 30)->End();
  const auto start = std::chrono::steady_clock::now();
  allocator.Leave(milliseconds(20));
  CHECK(std::chrono::steady_clock::now() - start >= milliseconds(20));
  CHECK(counts.released == 1);
  counts.is_slow = false;
  CHECK(Eventually([] { return counts.released == 2; }));
}

/// With several threads at once, no block is lost or released twice.
void check_threads() {
  CachingAllocator& allocator = NewAllocator();
  static Counts counts;
  std::vector<std::thread> threads;
  threads.reserve(4);
  int places[2] = {0, 0};
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937 random(seed);
      Device device;
      auto queue = std::make_shared<PaperQueue>(device, true);
      std::vector<std::shared_ptr<PaperEvent>> events;
      for (int i = 0; i < 500; ++i) {
        const void* const device = &places[random() % 2];
        const std::size_t size = 1 + random() % 3;
        auto tried = allocator.Try(device, 1, size, milliseconds(1), [&] {
          return std::make_unique<PaperAllocation>(counts, device, size, random() % 20);
        });
        MemoryRef ref(Block::Of(allocator, std::move(tried.allocation)), true);
        if (random() % 2 == 0) events.push_back(Use(ref, queue));
        ref.End();
        if (random() % 4 != 0 || events.empty()) continue;
        events.back()->reached = true;
        events.pop_back();
      }
      for (const auto& event : events) event->reached = true;
    });
  }
  for (auto& thread : threads) thread.join();
  allocator.Enter();
  allocator.Leave(kLong);
  CHECK(allocator.kept() == 0);
  CHECK(allocator.ending() == 0);
  CHECK(allocator.PendingBytes(nullptr) == 0);
  CHECK(counts.made == counts.released);
}

/// Eager polling ends with the last waiter; otherwise threads would poll every millisecond for
/// ever.
void check_eager_polling() {
  ReleaseCounter counter;
  CHECK(!counter.has_waiters());
  {
    const auto one = counter.AddWaiter();
    {
      const auto other = counter.AddWaiter();
      CHECK(counter.has_waiters());
    }
    CHECK(counter.has_waiters());
  }
  CHECK(!counter.has_waiters());
}

/// Waiters wake once nothing is pending, whatever the reason.
void check_waits_end() {
  const int device = 0;
  enum class End { kReturned, kDropped, kLetGo };
  for (const End end : {End::kReturned, End::kDropped, End::kLetGo}) {
    static auto& counter = *new ReleaseCounter;  // the thread may outlive a check that fails
    auto held = end == End::kLetGo ? counter.Hold() : nullptr;
    if (end != End::kLetGo) counter.Expect(&device, 8);
    static std::atomic<bool> is_over{false};
    is_over = false;
    std::thread waits([&device] {
      counter.Wait(&device, counter.returned(),
                   std::chrono::steady_clock::now() + std::chrono::hours(1));
      is_over = true;
    });
    waits.detach();
    std::this_thread::sleep_for(milliseconds(20));
    CHECK(!is_over);
    if (end == End::kReturned) counter.Return(&device, 8);
    if (end == End::kDropped) counter.Drop(&device, 8);
    held = nullptr;
    CHECK(Eventually([] { return is_over.load(); }));
  }
}

}  // namespace

void check_caching_allocator() {
  check_eager_polling();
  check_waits_end();
  check_threads_of_forgotten();
  check_without_threads();
  check_kept_for_good();
  check_any_order();
  check_slow_release();
  check_used_before_its_release();
  check_kept();
  check_oldest_goes();
  check_many_kept();
  check_pieces();
  check_forgotten();
  check_out_of_memory();
  check_returned_meanwhile();
  check_asked_again();
  check_peers();
  check_kept_while_pending();
  check_with_an_object(true);
  check_with_an_object(false);
  check_last_of_a_queue();
  check_unknown_memory();
  check_leave();
  check_threads();
}
