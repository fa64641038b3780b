#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "calls/stay.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// The JavaScript thread of one environment, to which other threads post jobs. It does not keep the
/// process alive by itself, and may be used after the environment has ended.
class JavaScriptThread : public std::enable_shared_from_this<JavaScriptThread> {
 public:
  using Job = std::function<void(Napi::Env)>;

  /// The JavaScript thread of this environment. Must be called on that thread, attached or not.
  static std::shared_ptr<JavaScriptThread> Of(Napi::Env env);

  JavaScriptThread(Napi::Env env, std::shared_ptr<Stay> stay);

  /// True on this thread. Another thread may have the number of one that has ended.
  bool IsThis() const { return !has_ended_ && std::this_thread::get_id() == id_; }
  /// A forked process has one of Python's threads, or several, but none of JavaScript's.
  bool IsOfThisProcess() const { return getpid() == process_; }
  /// The number of its current stay in Python; see Stay.
  std::uint64_t stay() const { return stay_->current(); }
  /// Must be called on this thread.
  Napi::Env env() const { return env_; }

  /// Runs `job` from the event loop, after the jobs that were posted before. The thread is detached
  /// then, and the job must not throw. False if the environment has ended; the job is then not
  /// taken. A job that still waits at the end is dropped. Safe to call from any thread, which may
  /// be attached.
  bool Post(Job job);

  /// Calls `at_end` on this thread when the environment ends. Returns 0 if it has ended.
  std::uint64_t AtEnd(std::function<void()> at_end);
  /// Cancels that. The function may still be running on this thread.
  void Forget(std::uint64_t at_end);

  /// Keeps the process alive until LetGo was called as often. Must be called on this thread.
  void Keep();
  void LetGo();

 private:
  static void OnNotify(Napi::Env env, Napi::Function, JavaScriptThread* thread, void*);
  using Notify = Napi::TypedThreadSafeFunction<JavaScriptThread, void, OnNotify>;

  void WatchLoop();
  void KeepForJobs();
  void RunOne(Napi::Env env);
  void End();

  const napi_env env_;
  const std::thread::id id_ = std::this_thread::get_id();
  const pid_t process_ = getpid();
  const std::shared_ptr<Stay> stay_;
  int kept_ = 0;  ///< on this thread only
  std::atomic<bool> has_ended_{false};

  std::mutex mutex_;  ///< held briefly, and never while JavaScript or Python runs
  Notify notify_;
  std::deque<Job> jobs_;
  std::map<std::uint64_t, std::function<void()>> at_end_;
  std::uint64_t next_ = 1;
};

}  // namespace array_interface
