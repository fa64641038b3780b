#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace array_interface {

/// Gives resources back on a thread of its own, because freeing device memory may wait for the
/// device. The thread starts with the first post; the destructor does what is left and joins.
class Reaper {
 public:
  Reaper() = default;
  Reaper(const Reaper&) = delete;
  Reaper& operator=(const Reaper&) = delete;
  ~Reaper();

  /// Runs `free` later, after those posted before. It must not throw, nor hold this reaper (whose
  /// destructor joins the thread that runs it). Safe from any thread. Throws, and has taken
  /// nothing, where there is no memory or thread for it.
  void Post(std::function<void()> free);

  /// Blocks until everything posted so far has run.
  void Drain();

  /// How many were posted so far.
  std::uint64_t posted();
  /// Whether the first `count` that were posted have run.
  bool HasRun(std::uint64_t count);

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::uint64_t posted_ = 0;
  std::uint64_t run_ = 0;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace array_interface
