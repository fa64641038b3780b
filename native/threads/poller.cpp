#include "threads/poller.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "threads/background_thread.hpp"

namespace array_interface {

namespace {

using std::chrono::microseconds;

// Most work is short. So the first polls have no pause between them; then the pause doubles.
constexpr int kEagerPolls = 64;
constexpr microseconds kShortestPause{20};
constexpr microseconds kLongestPause{1500};

/// The thread sleeps at least this many times as long as a round took. So it polls thousands of
/// queues less often than each millisecond, and does not use a whole core.
constexpr int kRest = 4;

/// After this many polls of the first in a queue, all of the queue is polled once, since nothing
/// guarantees that the first ends first.
constexpr std::size_t kFirstPolls = 16;

microseconds PauseAfter(int polls) {
  if (polls <= kEagerPolls) return microseconds{0};
  const int doublings = std::min(polls - kEagerPolls - 1, 10);
  return std::min(kShortestPause * (1 << doublings), kLongestPause);
}

}  // namespace

void Poller::Add(const void* queue, Poll poll) {
  {
    const std::lock_guard lock(mutex_);
    if (ending_) return;
    if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
    arrived_.push_back({queue, std::move(poll)});
  }
  changed_.notify_all();
}

void Poller::Stop() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Poller::Run() {
  BackgroundThread::Mark();
  for (bool is_done = false; TakeArrivals(is_done); is_done = false) {
    if (PollDue() || is_done) on_done_();
  }
}

/// Blocks until there is something to poll. Returns false at the end. Sets `is_done` if a new
/// arrival was already done.
bool Poller::TakeArrivals(bool& is_done) {
  std::vector<Arrival> arrived;
  {
    std::unique_lock lock(mutex_);
    const auto is_woken = [this] { return ending_ || !arrived_.empty(); };
    if (lines_.empty()) {
      changed_.wait(lock, is_woken);
    } else if (const auto due = NextDue(); due > Clock::now()) {
      changed_.wait_until(lock, due, is_woken);
    } else {
      lock.unlock();  // lets other threads run between polls without a pause
      std::this_thread::yield();
      lock.lock();
    }
    if (ending_) return false;
    arrived.swap(arrived_);
  }
  for (auto& arrival : arrived) is_done |= LineUp(std::move(arrival));
  return true;
}

/// Adds an arrival to its queue. If it is already done, returns true instead.
bool Poller::LineUp(Arrival arrival) {
  const auto found = lines_by_queue_.find(arrival.queue);
  if (found != lines_by_queue_.end()) {
    if (arrival.poll()) return true;
    found->second->polls.push_back(std::move(arrival.poll));
    return false;
  }
  Line line;
  line.queue = arrival.queue;
  line.polls.push_back(std::move(arrival.poll));
  lines_.push_back(std::move(line));
  if (arrival.queue != nullptr) lines_by_queue_.emplace(arrival.queue, std::prev(lines_.end()));
  return false;
}

Poller::Clock::time_point Poller::NextDue() const {
  const auto is_sooner = [](const Line& a, const Line& b) { return a.due < b.due; };
  return std::min_element(lines_.begin(), lines_.end(), is_sooner)->due;
}

/// Polls everything that is due. Returns true if anything was done.
bool Poller::PollDue() {
  const auto start = Clock::now();
  bool is_done = false;
  for (auto line = lines_.begin(); line != lines_.end();) {
    if (line->earliest > start) {
      ++line;
      continue;
    }
    if (PollLine(*line)) is_done = true;
    if (line->polls.empty()) {
      lines_by_queue_.erase(line->queue);
      line = lines_.erase(line);
    } else {
      Schedule(*line, start);
      ++line;
    }
  }
  round_ = Clock::now() - start;
  return is_done;
}

/// Polls from the front, up to the first that is not done.
bool Poller::PollLine(Line& line) {
  bool is_done = false;
  while (!line.polls.empty() && line.polls.front()()) {
    line.polls.pop_front();
    line.count = 0;  // the next one may be about to end as well
    is_done = true;
  }
  ++line.count;
  const std::size_t size = line.polls.size();
  const bool polls_all = size > 1 && line.count % (kFirstPolls + size) == 0;
  return (polls_all && PollAll(line)) || is_done;
}

bool Poller::PollAll(Line& line) {
  const auto is_done = [](const Poll& poll) { return poll(); };
  const auto left = std::remove_if(line.polls.begin(), line.polls.end(), is_done);
  if (left == line.polls.end()) return false;
  line.polls.erase(left, line.polls.end());
  return true;
}

/// Schedules the next poll. Each queue may be polled from half its pause on, so queues that are
/// polled for long come to share rounds.
void Poller::Schedule(Line& line, Clock::time_point now) const {
  Clock::duration pause = PauseAfter(line.count);
  if (line.count > kEagerPolls) pause = std::max(pause, round_ * kRest);
  line.due = now + pause;
  line.earliest = now + pause / 2;
}

}  // namespace array_interface
