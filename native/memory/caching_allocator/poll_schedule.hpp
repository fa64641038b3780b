#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

namespace array_interface {

/// Things that are looked at again and again, each time after a longer pause, up to a second: looks
/// cost something, and must not make a lazy device work. All that were looked at equally often have
/// the same pause, so they stand in a line, and the first of each line is due first.
template <class Thing>
class PollSchedule {
 public:
  using Clock = std::chrono::steady_clock;
  struct Polled {
    Thing thing;
    std::size_t count = 0;  ///< of the looks so far
    Clock::time_point next{};
  };
  /// Which are due before their time: none, those looked at seldom so far, or all.
  enum class Urgency { kNone, kEager, kAll };

  /// Looks at it after the pause that its count gives; at once at what was never looked at.
  void Put(Polled looked) {
    const std::size_t line = std::min(looked.count, kLongest);
    looked.next = looked.count == 0 ? Clock::time_point{} : Clock::now() + PauseAfter(line);
    lines_[line].push_back(std::move(looked));
  }

  std::vector<Polled> TakeDue(Urgency haste) {
    std::vector<Polled> due;
    const auto now = Clock::now();
    for (std::size_t line = 0; line < lines_.size(); ++line) {
      const bool is_due_early =
          haste == Urgency::kAll || (haste == Urgency::kEager && line < kEagerPolls);
      auto& things = lines_[line];
      while (!things.empty() && (is_due_early || things.front().next <= now)) {
        due.push_back(std::move(things.front()));
        things.pop_front();
      }
    }
    return due;
  }

  /// When something is due; the end of time where there is nothing.
  Clock::time_point NextDue() const {
    auto next = Clock::time_point::max();
    for (const auto& things : lines_) {
      if (!things.empty()) next = std::min(next, things.front().next);
    }
    return next;
  }

 private:
  static constexpr std::size_t kLongest = 10;
  static constexpr std::size_t kEagerPolls = 7;

  static std::chrono::milliseconds PauseAfter(std::size_t polls) {
    return std::min(std::chrono::milliseconds(1000), std::chrono::milliseconds(1 << (polls - 1)));
  }

  std::array<std::deque<Polled>, kLongest + 1> lines_;
};

}  // namespace array_interface
