#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "stream.hpp"
#include "task.hpp"

namespace array_interface::cuda_simulator {

struct Context;

/// Decides when queued work runs. Lazy: only when something waits for it, and then only what it
/// depends on, so that timing never orders work. Eager and random: a worker thread per stream runs
/// it at once, or after a seeded delay. Thread-safe.
class Schedule {
 public:
  /// Appends work to a stream. It runs after the stream's earlier work, after the work that the
  /// default stream joins, and after `needs`. Does not block.
  TaskPtr enqueue(Stream& stream, Work work, const std::vector<TaskPtr>& needs = {},
                  WorkKind kind = WorkKind::mark);

  /// Waits until the task is done. On the lazy schedule it runs the task and its dependencies. A
  /// null task is done.
  void wait(const TaskPtr& task);

  /// Polls whether the task is done. On the lazy schedule the n-th poll of the same unfinished task
  /// runs it, as does every later poll; `looks` counts them. Never waits for a host function or
  /// another thread, since these may wait for the caller.
  bool look(const TaskPtr& task, std::atomic<int>& looks);

  bool is_done(const TaskPtr& task);

  /// On the lazy schedule runs one task that nothing holds back, of any stream, and returns whether
  /// there was one: for work that waits for what some stream will do. Elsewhere the workers do so.
  bool run_ready();

  /// Returns when the task finished. It must be done.
  std::chrono::steady_clock::time_point finished(const TaskPtr& task);

  /// Returns the last task enqueued in the stream, or null.
  TaskPtr tail(Stream& stream);

  /// Returns all streams of a context that exist by now, the default ones included.
  std::vector<std::shared_ptr<Stream>> streams_of(Context& context);

  /// Waits for all work of a context.
  void wait_all(Context& context);

  /// Adds a stream to its context. If it is blocking, the default stream joins it from now on.
  void attach(const std::shared_ptr<Stream>& stream);

  /// Returns the context's legacy default stream, which is created on first use.
  std::shared_ptr<Stream> legacy_stream(Context& context);

  /// Returns the default stream of one thread, which is created on first use.
  std::shared_ptr<Stream> thread_stream(Context& context, std::uint64_t thread);

  /// Marks the stream as destroyed by the program. It is freed once its pending work has run.
  void retire(Stream& stream);

  /// Starts no more work of devices, whose contexts must have failed by now. Waits briefly for
  /// running work. Returns false if some is still running.
  bool halt();

  /// Removes all streams of a context that has ended.
  void forget(Context& context);

 private:
  using Lock = std::unique_lock<std::mutex>;

  enum class WaitMode { none, endless };

  void run(Lock& lock, const TaskPtr& task);
  /// Runs a task on its own thread, so that one that waits delays no other.
  void start(const TaskPtr& task);
  /// With WaitMode::none, returns false if such a thread or another is still at work.
  bool run_with_needs(Lock& lock, const TaskPtr& task, WaitMode mode);
  void start_worker(const std::shared_ptr<Stream>& stream);
  void work_on(const std::shared_ptr<Stream>& stream);
  /// Waits until the stream has a task for its worker, or is retired.
  static void wait_for_task(Lock& lock, Stream& stream);
  /// Ends the wait of the stream's worker. Must be called with the lock held.
  static void wake_worker(Stream& stream);
  void prune(Context& context);

  std::mutex mutex_;
  std::condition_variable changed_;  ///< a task has finished
  std::uint64_t last_number_ = 0;
  int running_ = 0;  ///< running device tasks
};

inline Schedule& schedule() { return immortal<Schedule>(); }

}  // namespace array_interface::cuda_simulator
