#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace array_interface {

/// Polls repeatedly, on a thread of its own, whether things are done: first without a pause, later
/// every 1.5 ms. Of things that usually end in order, it polls the first, and occasionally the
/// others. So thousands cost little more than one.
class Poller {
 public:
  /// Returns whether the thing is done. Must neither block nor throw.
  using Poll = std::function<bool()>;

  /// The poller's thread calls `on_done` after each round in which something was done. It must
  /// neither block nor throw.
  explicit Poller(std::function<void()> on_done) : on_done_(std::move(on_done)) {}
  ~Poller() { Stop(); }

  /// Calls `poll` on the poller's thread until it returns true, and destroys it there. Polls of one
  /// `queue` usually end in order; one that ends before those in front of it is noticed soon as
  /// well. Null if the poll has no order. The queue's address is only compared, so `poll` must keep
  /// the queue alive, or another queue may get the same address. Throws if there is no thread for
  /// the poll, which is then not added.
  void Add(const void* queue, Poll poll);

  /// Waits for the poll in progress. Nothing is polled afterwards; what is left is destroyed with
  /// the poller.
  void Stop();

 private:
  using Clock = std::chrono::steady_clock;
  struct Arrival {
    const void* queue;
    Poll poll;
  };
  /// Polls of one queue, in order. The poller polls the first.
  struct Line {
    const void* queue = nullptr;
    std::deque<Poll> polls;
    int count = 0;                 ///< polls since something was done
    Clock::time_point due{};       ///< when the thread wakes for it
    Clock::time_point earliest{};  ///< when it may be polled if the thread is awake anyway
  };

  void Run();
  bool TakeArrivals(bool& is_done);
  bool LineUp(Arrival arrival);
  Clock::time_point NextDue() const;
  bool PollDue();
  bool PollLine(Line& line);
  static bool PollAll(Line& line);
  void Schedule(Line& line, Clock::time_point now) const;

  std::function<void()> on_done_;
  std::list<Line> lines_;                                                      // poller thread only
  std::unordered_map<const void*, std::list<Line>::iterator> lines_by_queue_;  // poller thread only
  Clock::duration round_{};                                                    // poller thread only

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Arrival> arrived_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace array_interface
