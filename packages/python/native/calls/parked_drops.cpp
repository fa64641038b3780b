#include "calls/parked_drops.hpp"

#include <atomic>
#include <memory>

#include "calls/instruction.hpp"
#include "calls/javascript_thread.hpp"
#include "interpreter/entry.hpp"
#include "interpreter/releases.hpp"

namespace array_interface {

namespace {

void Run(Napi::Env env) {
  const Entry entry(env);
  // A signal handler may have raised the exception. There is no caller to report it to.
  if (!RunInstruction()) Py().PyErr_WriteUnraisable(Py().None);
}

}  // namespace

void RunParkedDrops(Napi::Env env) {
  const auto is_posted = std::make_shared<std::atomic<bool>>(false);
  AfterDrops([is_posted, thread = std::weak_ptr<JavaScriptThread>(JavaScriptThread::Of(env))] {
    const auto living = thread.lock();
    if (living == nullptr) return false;
    if (is_posted->exchange(true)) return true;  // the posted job has not run yet
    return living->Post([is_posted](Napi::Env env) {
      *is_posted = false;
      Run(env);
    });
  });
}

}  // namespace array_interface
