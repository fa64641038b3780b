#include "interpreter/entry.hpp"

#include "interpreter/interpreter.hpp"
#include "interpreter/releases.hpp"
#include "napi/failure.hpp"

namespace array_interface {

Entry::Entry(Napi::Env env) : addon_(PythonAddon::Of(env)), is_outermost_(!addon_.is_attached) {
  if (!is_outermost_) return;
  if (ThePython() == nullptr) {
    Throw(env, {"ERR_BACKEND_UNAVAILABLE", "",
                "expected a running Python, got none; call startPython()", "", 0, ""});
  }
  if (!addon_.taught) {
    Throw(env, {"ERR_BACKEND_UNAVAILABLE", "",
                "expected a thread that has called startPython(), got one that has not; call it "
                "here, too",
                "", 0, ""});
  }
  addon_.Attach();
  addon_.stay->Begin();
  lent_before_ = addon_.lent.Enter();
  DropReleased();
}

Entry::~Entry() {
  if (!is_outermost_) return;
  const auto buffers = addon_.lent.Keep(addon_.kept);
  addon_.lent.Leave(lent_before_);
  addon_.stay->End();
  addon_.Detach();
  addon_.HoldBuffers(buffers);
}

Pause::Pause(PythonAddon& addon) : addon_(addon) {
  const auto buffers = addon_.lent.Keep(addon_.kept);
  addon_.Detach();
  addon_.HoldBuffers(buffers);
}

Pause::~Pause() { addon_.Attach(); }

Napi::Value CallPaused(Napi::Env env, Napi::FunctionReference Taught::*function,
                       const std::initializer_list<napi_value>& arguments) {
  PythonAddon& addon = PythonAddon::Of(env);
  const Pause pause(addon);
  return ((*addon.taught).*function).Value().Call(arguments);
}

}  // namespace array_interface
