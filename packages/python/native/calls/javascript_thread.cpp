#include "calls/javascript_thread.hpp"

#include <optional>
#include <utility>

#include "interpreter/entry.hpp"
#include "interpreter/python_addon.hpp"

namespace array_interface {

// How an environment ends on its thread, and why nothing is lost or used after its end:
// - Hooks run last in, first out. The hook below is added after the threadsafe function was made
//   and after Python was started. So it runs before that function is freed, and before Python ends.
// - It sets `has_ended_` under the mutex. Post calls the threadsafe function under the same mutex,
//   so no call follows that function's end.
// - Then it calls the functions of AtEnd: threads that wait for an answer wake and raise an error.
// - A waiting job is dropped without being run. In a worker, a running job ends before hooks are
//   called: its function fails, since JavaScript stops first.
// - `process.exit` of the main thread calls no hooks. Waiting threads keep waiting, and end with
//   the process; a running job never returns. Python's exit functions may join such threads: they
//   run in a stay of this thread, so the threads' wait times out.
// - Other owners keep this object by shared pointers, and find it ended.

JavaScriptThread::JavaScriptThread(Napi::Env env, std::shared_ptr<Stay> stay)
    : env_(env),
      stay_(std::move(stay)),
      notify_(Notify::New(env, "array-interface python", 0, 1, this)) {
  notify_.Unref(env);
  env.AddCleanupHook([](JavaScriptThread* thread) { thread->End(); }, this);
}

std::shared_ptr<JavaScriptThread> JavaScriptThread::Of(Napi::Env env) {
  PythonAddon& addon = PythonAddon::Of(env);
  if (addon.thread == nullptr) {
    std::optional<Reading> reading;  // the thread is made while arguments are converted
    if (addon.is_attached) reading.emplace(addon);
    addon.thread = std::make_shared<JavaScriptThread>(env, addon.stay);
    addon.thread->WatchLoop();
  }
  return addon.thread;
}

/// A posted job does not keep the loop alive, since only this thread may do that. So the loop is
/// kept alive when it would end with jobs left.
void JavaScriptThread::WatchLoop() {
  const Napi::Env env(env_);
  const Napi::HandleScope scope(env);
  const auto process = env.Global().Get("process").As<Napi::Object>();
  const auto keep = [self = weak_from_this()](const Napi::CallbackInfo&) {
    if (const auto thread = self.lock()) thread->KeepForJobs();
  };
  process.Get("on").As<Napi::Function>().Call(
      process, {Napi::String::New(env, "beforeExit"), Napi::Function::New(env, keep)});
}

void JavaScriptThread::KeepForJobs() {
  {
    const std::lock_guard lock(mutex_);
    if (jobs_.empty()) return;
  }
  Keep();
  if (!Post([self = shared_from_this()](Napi::Env) { self->LetGo(); })) LetGo();
}

bool JavaScriptThread::Post(Job job) {
  const std::lock_guard lock(mutex_);
  if (has_ended_) return false;
  jobs_.push_back(std::move(job));
  if (notify_.NonBlockingCall() == napi_ok) return true;
  jobs_.pop_back();
  return false;
}

void JavaScriptThread::OnNotify(Napi::Env env, Napi::Function, JavaScriptThread* thread, void*) {
  const bool is_torn_down = static_cast<napi_env>(env) == nullptr;
  if (!is_torn_down) thread->RunOne(env);
}

/// Runs one job for each notification, so that Node settles promises in between.
void JavaScriptThread::RunOne(Napi::Env env) {
  Job job;
  {
    const std::lock_guard lock(mutex_);
    if (jobs_.empty()) return;
    job = std::move(jobs_.front());
    jobs_.pop_front();
  }
  job(env);
}

std::uint64_t JavaScriptThread::AtEnd(std::function<void()> at_end) {
  const std::lock_guard lock(mutex_);
  if (has_ended_) return 0;
  at_end_.emplace(next_, std::move(at_end));
  return next_++;
}

void JavaScriptThread::Forget(std::uint64_t at_end) {
  std::function<void()> forgotten;  // destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  const auto found = at_end_.find(at_end);
  if (found == at_end_.end()) return;
  forgotten = std::move(found->second);
  at_end_.erase(found);
}

void JavaScriptThread::Keep() {
  if (kept_++ == 0) notify_.Ref(env_);
}

void JavaScriptThread::LetGo() {
  if (--kept_ == 0) notify_.Unref(env_);
}

void JavaScriptThread::End() {
  std::deque<Job> jobs;
  std::map<std::uint64_t, std::function<void()>> at_end;
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    jobs.swap(jobs_);
    at_end.swap(at_end_);
    notify_.Release();
  }
  for (const auto& [id, tell] : at_end) tell();
}

}  // namespace array_interface
