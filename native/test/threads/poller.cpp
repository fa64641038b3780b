#include "threads/poller.hpp"

#include <atomic>
#include <chrono>
#include <ctime>
#include <memory>
#include <thread>
#include <vector>

#include "sections.hpp"
#include "test/support/check.hpp"
#include "threads/background_thread.hpp"

using array_interface::BackgroundThread;
using array_interface::Poller;

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Waits for another thread to make a condition true. Returns false after a minute, which a busy
/// machine may need.
template <class IsDone>
bool Becomes(const IsDone& is_done) {
  const auto deadline = Clock::now() + 60s;
  while (!is_done()) {
    if (Clock::now() > deadline) return false;
    std::this_thread::sleep_for(50us);
  }
  return true;
}

void Count(std::atomic<long>& counter) { ++counter; }

void LooksUntilDone() {
  std::atomic<long> looks{0};
  std::atomic<long> rounds{0};
  std::atomic<bool> is_own{false};
  Poller poller([&] { Count(rounds); });
  poller.Add(nullptr, [&] {
    is_own = BackgroundThread::IsThis();
    return ++looks == 100;
  });
  CHECK(Becomes([&] { return rounds == 1; }));
  CHECK(looks == 100);
  CHECK(is_own);
  CHECK(!BackgroundThread::IsThis());
  std::this_thread::sleep_for(5ms);
  CHECK(looks == 100);
}

/// A look that is done is destroyed at once, on the poller's thread, even if others are not done.
void DropsWhatIsDone() {
  std::atomic<bool> goes_on{false};
  Poller poller([] {});
  poller.Add(nullptr, [&] { return goes_on.load(); });
  auto kept = std::make_shared<int>(0);
  const std::weak_ptr<int> watched = kept;
  poller.Add(nullptr, [kept] { return true; });
  kept = nullptr;
  CHECK(Becomes([&] { return watched.expired(); }));
  goes_on = true;
}

void LooksAtTheFirstOfAQueueAlone() {
  constexpr long kMany = 1000;
  int queue = 0;
  int other = 0;
  std::atomic<long> reached{0};
  std::atomic<long> done{0};
  std::atomic<long> early{0};
  std::atomic<long> others{0};
  Poller poller([] {});
  for (long number = 1; number <= kMany; ++number) {
    poller.Add(&queue, [&, number] {
      if (done != number - 1) ++early;
      if (reached < number) return false;
      ++done;
      return true;
    });
  }
  poller.Add(&other, [&] { return ++others == 3; });
  CHECK(Becomes([&] { return others == 3; }));  // it does not wait for other queues
  CHECK(done == 0);
  reached = 10;
  CHECK(Becomes([&] { return done == 10; }));
  reached = kMany;
  CHECK(Becomes([&] { return done == kMany; }));
  CHECK(early < 3 * kMany);  // once when it is added, and seldom again
  // The queue is removed with its last look, and can be added again.
  std::atomic<bool> is_again{false};
  poller.Add(&queue, [&] { return is_again = true; });
  CHECK(Becomes([&] { return is_again.load(); }));
}

/// Events of a queue that are added in another order than they complete in.
void SeesWhatIsDoneBehindOthers() {
  int queue = 0;
  std::atomic<bool> ends{false};
  std::atomic<bool> goes_on{false};
  std::atomic<bool> is_late_seen{false};
  std::atomic<bool> is_done_seen{false};
  Poller poller([] {});
  poller.Add(&queue, [&] { return goes_on.load(); });
  poller.Add(&queue, [&] { return ends && (is_late_seen = true); });
  poller.Add(&queue, [&] { return is_done_seen = true; });
  CHECK(Becomes([&] { return is_done_seen.load(); }));
  ends = true;
  CHECK(Becomes([&] { return is_late_seen.load(); }));
  goes_on = true;
}

void HasNoOrderWithoutAQueue() {
  std::atomic<bool> is_last{false};
  std::atomic<bool> goes_on{false};
  Poller poller([] {});
  poller.Add(nullptr, [&] { return goes_on.load(); });
  poller.Add(nullptr, [&] { return is_last = true; });
  CHECK(Becomes([&] { return is_last.load(); }));
  goes_on = true;
}

void StopsWithWorkLeft() {
  std::atomic<long> looks{0};
  auto kept = std::make_shared<int>(0);
  const std::weak_ptr<int> watched = kept;
  {
    Poller poller([] {});
    poller.Add(nullptr, [&looks, kept] { return ++looks < 0; });
    kept = nullptr;
    CHECK(Becomes([&] { return looks > 0; }));
    poller.Stop();
    const long before = looks;
    poller.Add(nullptr, [&looks] { return ++looks < 0; });
    std::this_thread::sleep_for(3ms);
    CHECK(looks == before);
    CHECK(!watched.expired());
  }
  CHECK(watched.expired());
}

double ProcessorSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Thousands of waits on a few queues cost as many looks as a few waits, and are noticed soon.
void ManyCostLittle() {
  constexpr long kMany = 10'000;
  int queues[4] = {};
  std::atomic<long> looks{0};
  std::atomic<long> done{0};
  std::atomic<bool> goes_on{false};
  Poller poller([] {});
  for (long number = 0; number < kMany; ++number) {
    poller.Add(&queues[number % 4], [&] {
      ++looks;
      if (!goes_on) return false;
      ++done;
      return true;
    });
  }
  CHECK(Becomes([&] { return looks >= kMany; }));  // each is looked at when it is added
  long seen = 0;
  double milliseconds = 0;
  double processor = 0;
  const auto look = [&] {
    const auto start = Clock::now();
    const double used = ProcessorSeconds();
    const long before = looks;
    std::this_thread::sleep_for(500ms);
    seen = looks - before;
    processor = ProcessorSeconds() - used;
    milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    return seen > 100;
  };
  CHECK(Becomes(look));  // at most 2 ms apart, in some half second of a busy machine
  std::printf("%ld waits: %ld looks and %.1f %% of a core in %.0f ms\n", kMany, seen,
              processor / milliseconds * 1e5, milliseconds);
  // Four queues, each not more often than twice a millisecond, and some looks at all of a queue.
  CHECK(static_cast<double>(seen) < 12 * milliseconds);
  goes_on = true;
  CHECK(Becomes([&] { return done == kMany; }));
}

/// Waits without a queue are all polled, but leave most of a core free. From the start of one round
/// to the next takes several times as long as the round before did, however busy the machine is:
/// all of them are added within a round, so that each round polls all.
void RestsBetweenLongRounds() {
  constexpr int kMany = 100;
  constexpr long kEager = 64;  // the poller's rounds without a rest between them
  std::atomic<bool> goes_on{false};
  std::atomic<long> rounds{0};
  std::atomic<long> hasty{0};
  // Used by the poller's thread only.
  Clock::time_point start;
  Clock::duration last{};
  Clock::duration before{};
  Poller poller([] {});
  const auto wait = [&](int number) {
    const auto now = Clock::now();
    if (number == 0) {
      if (rounds > kEager + 2 && now - start < 3 * before) ++hasty;
      start = now;
    }
    while (Clock::now() < now + 20us) continue;
    if (number < kMany - 1) return goes_on.load();
    before = last;
    last = Clock::now() - start;
    ++rounds;
    return goes_on.load();
  };
  poller.Add(nullptr, [&] {
    for (int number = 0; number < kMany; ++number) {
      poller.Add(nullptr, [&wait, number] { return wait(number); });
    }
    return true;
  });
  CHECK(Becomes([&] { return rounds > kEager + 12; }));
  CHECK(hasty == 0);
  goes_on = true;
}

}  // namespace

void check_poller() {
  LooksUntilDone();
  DropsWhatIsDone();
  LooksAtTheFirstOfAQueueAlone();
  SeesWhatIsDoneBehindOthers();
  HasNoOrderWithoutAQueue();
  StopsWithWorkLeft();
  ManyCostLittle();
  RestsBetweenLongRounds();
}
