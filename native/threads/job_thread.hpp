#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace array_interface {

/// Does jobs on a thread of its own, one after another: what takes long and nobody waits for, as a
/// compiler. The thread starts with the first job; the destructor does what is left and joins.
class JobThread {
 public:
  JobThread() = default;
  JobThread(const JobThread&) = delete;
  JobThread& operator=(const JobThread&) = delete;
  ~JobThread();

  /// Runs `job` later, after those posted before. It must not throw, nor hold this object (whose
  /// destructor joins the thread that runs it). Safe from any thread. Throws, and has taken
  /// nothing, where there is no memory or thread for it.
  void Post(std::function<void()> job);

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
