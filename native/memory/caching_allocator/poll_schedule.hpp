#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

namespace array_interface {

/// Things to poll repeatedly, each time after a longer pause, up to a second. Polls have a cost,
/// and must not keep an idle device busy. All things that were polled equally often have the same
/// pause. So each such count has a queue, and the first of each queue is due first.
template <class Thing>
class PollSchedule {
 public:
  using Clock = std::chrono::steady_clock;
  struct Polled {
    Thing thing;
    std::size_t count = 0;  ///< polls so far
    Clock::time_point next{};
  };
  /// Which things are due early: none, those polled only a few times so far, or all.
  enum class Urgency { kNone, kEager, kAll };

  /// Schedules the next poll after the pause for its count. A thing that was never polled is due at
  /// once.
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

  /// When the next thing is due; time_point::max() if there is none.
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
