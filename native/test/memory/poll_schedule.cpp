#include "memory/caching_allocator/poll_schedule.hpp"

#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

#include "sections.hpp"
#include "test/support/check.hpp"

using namespace array_interface;

namespace {

using Things = PollSchedule<int>;
using Clock = Things::Clock;
using std::chrono::milliseconds;

/// The minimal pause after so many polls.
milliseconds pause_after(std::size_t polls) {
  if (polls == 0) return milliseconds(0);
  return milliseconds(1L << (std::min<std::size_t>(polls, 10) - 1));
}

/// With things added in any order, NextDue() is the earliest due time, and TakeDue() returns each
/// due thing once.
void check_any_counts(unsigned seed) {
  std::mt19937 random(seed);
  Things polls;
  CHECK(polls.NextDue() == Clock::time_point::max());
  Clock::time_point first = Clock::time_point::max();
  std::size_t due = 0;
  for (int thing = 0; thing < 40; ++thing) {
    const std::size_t count = 8 + random() % 6;
    first = std::min(first, Clock::now() + pause_after(count));
    polls.Put({thing, count});
    CHECK(polls.NextDue() >= first);
    CHECK(polls.NextDue() <= Clock::now() + milliseconds(1000));
    const bool is_due_early = random() % 8 == 0;
    const auto haste = is_due_early ? Things::Urgency::kAll : Things::Urgency::kNone;
    const auto taken = polls.TakeDue(haste);
    due += taken.size();
    if (!is_due_early) continue;
    CHECK(polls.NextDue() == Clock::time_point::max());
    CHECK(due == static_cast<std::size_t>(thing) + 1);
    first = Clock::time_point::max();
  }
}

/// A thing with a long pause does not delay one that was added later with a shorter pause, and the
/// other way round.
void check_lines() {
  Things polls;
  polls.Put({0, 11});  // in half a second
  const auto last = polls.NextDue();
  polls.Put({1, 1});  // in a millisecond, so a slow machine has time between the two
  CHECK(polls.NextDue() < last);
  Things turned;
  turned.Put({1, 5});  // in 16 ms
  while (Clock::now() < turned.NextDue()) {
  }
  const auto then = turned.NextDue();
  turned.Put({0, 4});  // in 8 ms from now, which is later
  CHECK(turned.NextDue() == then);
  const auto taken = turned.TakeDue(Things::Urgency::kNone);
  CHECK(std::any_of(taken.begin(), taken.end(), [](const auto& one) { return one.thing == 1; }));
}

}  // namespace

void check_looks() {
  check_lines();
  for (unsigned seed = 1; seed <= 8; ++seed) check_any_counts(seed);
}
