#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace array_interface {

/// Does jobs on a thread of its own, one after another: long work that nobody waits for, such as
/// compiling. The thread starts with the first job. The destructor does the jobs that are left, and
/// joins.
class JobThread {
 public:
  JobThread() = default;
  JobThread(const JobThread&) = delete;
  JobThread& operator=(const JobThread&) = delete;
  ~JobThread();

  /// Runs `job` later, after those posted before. The job must not throw, nor hold this object,
  /// whose destructor joins the thread that runs it. Safe from any thread. Throws where there is no
  /// memory or thread for the job, and then has not taken it.
  void Post(std::function<void()> job);

  /// Blocks until everything posted so far has run.
  void Drain();

  /// How many jobs were posted so far.
  std::uint64_t posted();
  /// Whether the first `count` jobs have run.
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
