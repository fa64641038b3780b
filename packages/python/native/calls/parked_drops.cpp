#include "calls/parked_drops.hpp"

#include <memory>

#include "calls/instruction.hpp"
#include "calls/javascript_thread.hpp"
#include "interpreter/entry.hpp"
#include "interpreter/releases.hpp"

namespace array_interface {

namespace {

void Run(Napi::Env env) {
  const Entry entry(env);
  if (!RunInstruction()) Py().PyErr_Clear();  // nobody called
}

}  // namespace

void RunParkedDrops(Napi::Env env) {
  AfterDrops([thread = std::weak_ptr<JavaScriptThread>(JavaScriptThread::Of(env))] {
    const auto living = thread.lock();
    return living != nullptr && living->Post(Run);
  });
}

}  // namespace array_interface
