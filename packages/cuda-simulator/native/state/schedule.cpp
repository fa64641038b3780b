#include "schedule.hpp"

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

#include "base/driver_thread.hpp"
#include "base/settings.hpp"
#include "capture.hpp"
#include "context.hpp"

namespace array_interface::cuda_simulator {
namespace {

/// How long a worker without a task polls for one before it sleeps.
constexpr std::chrono::microseconds longest_look{50};

/// How long the end of the driver waits for running work.
constexpr std::chrono::seconds longest_halt{1};

bool is_lazy() { return settings().schedule == Settings::Schedule::lazy; }

bool unfinished(const TaskPtr& task) { return task != nullptr && task->state != Task::State::done; }

/// Returns a queued task that is, or is before, `tail`, and whose needs are done; or null.
TaskPtr find_ready(const TaskPtr& tail) {
  std::vector<TaskPtr> open{tail};
  std::set<TaskPtr> seen;
  while (!open.empty()) {
    const TaskPtr task = open.back();
    open.pop_back();
    if (task == nullptr || task->state != Task::State::queued || !seen.insert(task).second)
      continue;
    const auto& needs = task->needs;
    if (std::none_of(needs.begin(), needs.end(), unfinished)) return task;
    open.insert(open.end(), needs.begin(), needs.end());
  }
  return nullptr;
}

/// Returns a delay of up to 2 ms, the same for the same seed and task. A quarter of the tasks start
/// at once.
std::chrono::microseconds delay_of(const Task& task) {
  std::uint64_t mixed = settings().seed * 0x9E3779B97F4A7C15u + task.number * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 30)) * 0x94D049BB133111EBu;
  mixed ^= mixed >> 31;
  return std::chrono::microseconds(mixed % 4 == 0 ? 0 : (mixed >> 8) % 2000);
}

/// Runs the work, or ends its context. As on a device, nothing runs in a context that failed.
void perform(const Task& task) {
  if (!task.work || task.context->failed()) return;
  try {
    if (task.host_function) return run_as_host_function([&] { task.work(); });
    const CUresult result = task.work();
    if (result != CUDA_SUCCESS) task.context->fail({result});
  } catch (const Failure& failure) {
    task.context->fail(failure);
  } catch (...) {
    task.context->fail({CUDA_ERROR_LAUNCH_FAILED});
  }
}

}  // namespace

TaskPtr Schedule::enqueue(Stream& stream, Work work, const std::vector<TaskPtr>& needs,
                          WorkKind kind) {
  if (TaskPtr captured = capture_work(stream, work, needs, kind)) return captured;
  auto task = std::make_shared<Task>();
  task->context = stream.context;
  task->work = std::move(work);
  task->host_function = kind == WorkKind::host_function;
  task->may_wait = task->host_function || kind == WorkKind::memory_operations;
  Lock lock(mutex_);
  Context& context = *stream.context;
  const auto need = [&](const TaskPtr& earlier) {
    if (unfinished(earlier)) task->needs.push_back(earlier);
  };
  need(stream.tail);
  if (stream.legacy) {
    for (const auto& other : context.streams) {
      if (other->blocking()) need(other->tail);
    }
  } else if (stream.blocking() && context.legacy) {
    need(context.legacy->tail);
  }
  for (const TaskPtr& earlier : needs) need(earlier);
  task->number = ++last_number_;
  stream.tail = task;
  if (!is_lazy()) {
    stream.queue.push_back(task);
    wake_worker(stream);
  }
  return task;
}

void Schedule::run(Lock& lock, const TaskPtr& task) {
  task->state = Task::State::running;
  const int running = task->may_wait ? 0 : 1;
  running_ += running;
  lock.unlock();
  perform(*task);
  lock.lock();
  running_ -= running;
  task->state = Task::State::done;
  task->finished = std::chrono::steady_clock::now();
  Work finished_work = std::exchange(task->work, nullptr);
  task->needs.clear();
  changed_.notify_all();
  lock.unlock();  // what the work held is freed without the lock
  finished_work = nullptr;
  lock.lock();
}

void Schedule::start(const TaskPtr& task) {
  start_driver_thread([this, task] {
    Lock lock(mutex_);
    run(lock, task);
  });
  task->state = Task::State::running;  // the lock is held: the thread has not begun
}

bool Schedule::run_with_needs(Lock& lock, const TaskPtr& task, WaitMode mode) {
  std::vector<TaskPtr> path{task};
  while (!path.empty()) {
    const TaskPtr current = path.back();
    if (current->state == Task::State::done) {
      path.pop_back();
    } else if (current->state == Task::State::running) {
      if (mode == WaitMode::none) return false;
      changed_.wait(lock, [&] { return current->state == Task::State::done; });
    } else {
      auto& needs = current->needs;
      needs.erase(std::remove_if(needs.begin(), needs.end(),
                                 [](const TaskPtr& need) { return !unfinished(need); }),
                  needs.end());
      if (!needs.empty()) {
        path.push_back(needs.front());
      } else if (current->may_wait) {
        start(current);
      } else {
        run(lock, current);
      }
    }
  }
  return true;
}

void Schedule::wait(const TaskPtr& task) {
  Lock lock(mutex_);
  if (!unfinished(task)) return;
  if (is_lazy()) {
    run_with_needs(lock, task, WaitMode::endless);
  } else {
    changed_.wait(lock, [&] { return !unfinished(task); });
  }
}

bool Schedule::look(const TaskPtr& task, std::atomic<int>& looks) {
  Lock lock(mutex_);
  if (unfinished(task)) {
    if (!is_lazy() || ++looks < settings().lazy_queries) return false;
    if (!run_with_needs(lock, task, WaitMode::none)) return false;
  }
  looks = 0;
  return true;
}

bool Schedule::is_done(const TaskPtr& task) {
  Lock lock(mutex_);
  return !unfinished(task);
}

bool Schedule::run_ready() {
  if (!is_lazy()) return false;
  std::vector<std::shared_ptr<Stream>> all;
  for (Context* context : active_contexts()) {
    for (auto& stream : streams_of(*context)) all.push_back(std::move(stream));
  }
  Lock lock(mutex_);
  for (const auto& stream : all) {
    const TaskPtr ready = find_ready(stream->tail);
    if (ready == nullptr) continue;
    if (ready->may_wait) {
      start(ready);
    } else {
      run(lock, ready);
    }
    return true;
  }
  return false;
}

std::chrono::steady_clock::time_point Schedule::finished(const TaskPtr& task) {
  Lock lock(mutex_);
  return task->finished;
}

TaskPtr Schedule::tail(Stream& stream) {
  Lock lock(mutex_);
  return stream.tail;
}

void Schedule::wait_all(Context& context) {
  std::vector<TaskPtr> tails;
  {
    Lock lock(mutex_);
    if (context.legacy && unfinished(context.legacy->tail)) tails.push_back(context.legacy->tail);
    for (const auto& stream : context.streams) {
      if (unfinished(stream->tail)) tails.push_back(stream->tail);
    }
  }
  for (const TaskPtr& task : tails) wait(task);
  Lock lock(mutex_);
  prune(context);
}

void Schedule::prune(Context& context) {
  auto& all = context.streams;
  all.erase(std::remove_if(all.begin(), all.end(),
                           [](const std::shared_ptr<Stream>& stream) {
                             return stream->retired && !unfinished(stream->tail);
                           }),
            all.end());
}

std::vector<std::shared_ptr<Stream>> Schedule::streams_of(Context& context) {
  Lock lock(mutex_);
  std::vector<std::shared_ptr<Stream>> all = context.streams;
  if (context.legacy) all.push_back(context.legacy);
  return all;
}

void Schedule::attach(const std::shared_ptr<Stream>& stream) {
  Lock lock(mutex_);
  if (!is_lazy()) start_worker(stream);
  prune(*stream->context);
  stream->context->streams.push_back(stream);
}

std::shared_ptr<Stream> Schedule::legacy_stream(Context& context) {
  Lock lock(mutex_);
  if (!context.legacy) {
    auto stream = std::make_shared<Stream>(context, 0, 0, true);
    if (!is_lazy()) start_worker(stream);
    context.legacy = std::move(stream);
  }
  return context.legacy;
}

std::shared_ptr<Stream> Schedule::thread_stream(Context& context, std::uint64_t thread) {
  Lock lock(mutex_);
  std::shared_ptr<Stream>& stream = context.per_thread[thread];
  if (!stream) {
    auto made = std::make_shared<Stream>(context);
    if (!is_lazy()) start_worker(made);
    context.streams.push_back(made);
    stream = std::move(made);
  }
  return stream;
}

void Schedule::retire(Stream& stream) {
  Lock lock(mutex_);
  stream.retired = true;
  wake_worker(stream);
  prune(*stream.context);
}

bool Schedule::halt() {
  Lock lock(mutex_);
  return changed_.wait_for(lock, longest_halt, [this] { return running_ == 0; });
}

void Schedule::forget(Context& context) {
  Lock lock(mutex_);
  if (context.legacy) context.streams.push_back(std::move(context.legacy));
  for (const auto& stream : context.streams) {
    stream->retired = true;
    wake_worker(*stream);
  }
  context.streams.clear();
  context.per_thread.clear();
  context.legacy = nullptr;
}

void Schedule::start_worker(const std::shared_ptr<Stream>& stream) {
  start_driver_thread([this, stream] { work_on(stream); });
}

void Schedule::wake_worker(Stream& stream) {
  stream.is_awaited = false;
  stream.arrived.notify_one();
}

// Polls before it sleeps, as a device does: waking takes longer than a short task.
void Schedule::wait_for_task(Lock& lock, Stream& stream) {
  const auto is_there = [&] { return !stream.queue.empty() || stream.retired; };
  if (is_there()) return;
  stream.is_awaited = true;
  lock.unlock();
  const auto until = std::chrono::steady_clock::now() + longest_look;
  while (stream.is_awaited && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  lock.lock();
  stream.arrived.wait(lock, is_there);
}

void Schedule::work_on(const std::shared_ptr<Stream>& stream) {
  Lock lock(mutex_);
  for (;;) {
    wait_for_task(lock, *stream);
    if (stream->queue.empty()) return;
    const TaskPtr task = stream->queue.front();
    stream->queue.pop_front();
    changed_.wait(lock,
                  [&] { return std::none_of(task->needs.begin(), task->needs.end(), unfinished); });
    if (settings().schedule == Settings::Schedule::random) {
      const auto delay = delay_of(*task);
      lock.unlock();
      std::this_thread::sleep_for(delay);
      lock.lock();
    }
    run(lock, task);
  }
}

}  // namespace array_interface::cuda_simulator
