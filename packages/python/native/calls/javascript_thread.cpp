#include "calls/javascript_thread.hpp"

#include <optional>
#include <utility>

#include "interpreter/entry.hpp"
#include "interpreter/python_addon.hpp"

namespace array_interface {

// How an environment ends, on its thread, and why nothing is lost or used too late:
// - Hooks run last in, first out. The one below is added after the threadsafe function was made and
//   after Python was started, so it runs before that function goes and before Python's own end.
// - It sets `has_ended_` under the mutex, under which Post calls the threadsafe function: no call
//   comes after that one has gone.
// - Then it calls what AtEnd took: threads that wait for an answer wake and raise an error.
// - A job that waits is dropped unrun. In a worker a job that runs ends before hooks are called:
//   its function fails, since JavaScript stops first.
// - `process.exit` of the main thread calls no hooks. Threads that wait stay so, and go with the
//   process; a job that runs never returns. Python's exit functions may join such threads: they run
//   in a stay of this thread, which the threads do not outwait.
// - Others keep this object by shared pointers, and find it ended.

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
    std::optional<Pause> pause;
    if (addon.is_attached) pause.emplace(addon);
    addon.thread = std::make_shared<JavaScriptThread>(env, addon.stay);
    addon.thread->WatchLoop();
  }
  return addon.thread;
}

/// A job that was posted does not keep the loop going, since only this thread may ask for that. So
/// the loop is asked to go on where it would end with jobs left.
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

/// One for each notification, so that Node runs what promises wait for in between.
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
  std::function<void()> forgotten;  // it ends after the lock
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
