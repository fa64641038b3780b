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

/// The JavaScript thread of one environment, as other threads see it: they leave jobs for it. It
/// keeps no process alive by itself, and may be used after the environment has ended.
class JavaScriptThread : public std::enable_shared_from_this<JavaScriptThread> {
 public:
  using Job = std::function<void(Napi::Env)>;

  /// That of this environment, on its thread, attached or not.
  static std::shared_ptr<JavaScriptThread> Of(Napi::Env env);

  JavaScriptThread(Napi::Env env, std::shared_ptr<Stay> stay);
  JavaScriptThread(const JavaScriptThread&) = delete;
  JavaScriptThread& operator=(const JavaScriptThread&) = delete;
  ~JavaScriptThread() = default;

  /// Whether the calling thread is this one. An ended one's number may be another thread's now.
  bool IsThis() const { return !has_ended_ && std::this_thread::get_id() == id_; }
  /// A fork has Python's threads, or one of them, but none of JavaScript's.
  bool IsOfThisProcess() const { return getpid() == process_; }
  /// Which stay in Python it is in; see Stay.
  std::uint64_t stay() const { return stay_->current(); }
  /// On this thread only.
  Napi::Env env() const { return env_; }

  /// Runs `job` from the event loop, after those posted before. The thread is not attached then,
  /// and the job must not throw. False: the environment has ended, and the job was not taken. One
  /// that still waits at the end is dropped. On any thread, which may be attached.
  bool Post(Job job);

  /// Calls `at_end` on this thread when the environment ends. 0: it has ended.
  std::uint64_t AtEnd(std::function<void()> at_end);
  /// Takes that back. The function may still be running on this thread.
  void Forget(std::uint64_t at_end);

  /// Keeps the process alive, on this thread, until LetGo was called as often.
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

  std::mutex mutex_;  ///< held for moments only, and never while JavaScript or Python runs
  Notify notify_;
  std::deque<Job> jobs_;
  std::map<std::uint64_t, std::function<void()>> at_end_;
  std::uint64_t next_ = 1;
};

}  // namespace array_interface
