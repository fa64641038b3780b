#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace array_interface {

/// Runs jobs one after another on a thread of its own. It is meant for long work that nothing waits
/// for, such as compiling. The thread starts with the first job. The destructor runs the remaining
/// jobs, and joins the thread.
class JobThread {
 public:
  ~JobThread();

  /// Runs `job` later, after those posted before. The job must not throw, and must not own this
  /// object, whose destructor joins the thread that runs the job. Safe to call from any thread.
  /// Throws if there is no memory or thread for the job, which is then not queued.
  void Post(std::function<void()> job);

  /// Blocks until everything posted so far has run.
  void Drain();

  /// How many jobs have been posted so far.
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
