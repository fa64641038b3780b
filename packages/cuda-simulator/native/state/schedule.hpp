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
/// depends on, so that luck never orders work. Eager and random: a worker thread for each stream
/// runs it at once, or after a seeded delay. Thread-safe.
class Schedule {
 public:
  enum class Kind { device, host_function };

  /// Appends work to a stream, after the stream's earlier work, the work that the default stream
  /// joins, and `needs`. Does not wait.
  TaskPtr enqueue(Stream& stream, Work work, const std::vector<TaskPtr>& needs = {},
                  Kind kind = Kind::device);

  /// Waits until the task is done. On the lazy schedule it runs the task and what that depends on.
  /// A null task is done.
  void wait(const TaskPtr& task);

  /// Whether the task is done. On the lazy schedule the n-th look at the same unfinished task runs
  /// it, as does every later look; `looks` counts them. It never waits for a host function or
  /// another thread, since these may wait for the caller.
  bool look(const TaskPtr& task, std::atomic<int>& looks);

  bool is_done(const TaskPtr& task);

  /// When the task finished; it must be done.
  std::chrono::steady_clock::time_point finished(const TaskPtr& task);

  /// The last task enqueued in the stream, or null.
  TaskPtr tail(Stream& stream);

  /// Waits for all work of a context.
  void wait_all(Context& context);

  /// Makes a stream known to its context. The default stream then joins it if it is blocking.
  void attach(const std::shared_ptr<Stream>& stream);

  /// The context's legacy default stream; made on first use.
  std::shared_ptr<Stream> legacy_stream(Context& context);

  /// The default stream of one thread; made on first use.
  std::shared_ptr<Stream> thread_stream(Context& context, std::uint64_t thread);

  /// The program has destroyed the stream. Its work still runs, then it goes.
  void retire(Stream& stream);

  /// Begins no more work of devices, whose contexts have failed by now, and waits for what is
  /// running, but not for long. False: some is running.
  bool halt();

  /// Forgets all streams of a context that has ended.
  void forget(Context& context);

 private:
  using Lock = std::unique_lock<std::mutex>;

  enum class WaitMode { none, endless };

  void run(Lock& lock, const TaskPtr& task);
  /// Runs a host function on a thread of its own, so that one that blocks holds up no other.
  void start(const TaskPtr& task);
  /// False, without `timeout`: a host function or another thread is still at work.
  bool run_with_needs(Lock& lock, const TaskPtr& task, WaitMode mode);
  void start_worker(const std::shared_ptr<Stream>& stream);
  void work_on(const std::shared_ptr<Stream>& stream);
  /// Waits until the stream has a task for its worker, or is retired.
  static void wait_for_task(Lock& lock, Stream& stream);
  /// Ends the wait of the stream's worker. Call with the lock.
  static void wake_worker(Stream& stream);
  void prune(Context& context);

  std::mutex mutex_;
  std::condition_variable changed_;  ///< a task was done
  std::uint64_t last_number_ = 0;
  int running_ = 0;  ///< tasks of devices
};

Schedule& schedule();

}  // namespace array_interface::cuda_simulator
