#include "interpreter/python_addon.hpp"

#include "interpreter/end.hpp"

namespace array_interface {

namespace {

thread_local const PythonAddon* of_this_thread = nullptr;

}  // namespace

PythonAddon::PythonAddon(Napi::Env env, Napi::Function error_class)
    : Addon(env, error_class), kept(env), env_(env) {
  of_this_thread = this;
}

const PythonAddon* PythonAddon::OfThisThread() { return of_this_thread; }

bool PythonAddon::CanRun() const {
  const Napi::HandleScope scope(env_);
  const napi_value text = Napi::String::New(env_, "");
  napi_value same = nullptr;
  return napi_coerce_to_string(env_, text, &same) == napi_ok;
}

PythonAddon::~PythonAddon() {
  of_this_thread = nullptr;
  if (!is_own_) return;
  Py().PyEval_RestoreThread(state_);
  StayAttachedAtExit();  // other environments may not have entered Python
  Py().PyGILState_Release(before_);
}

void PythonAddon::Attach() {
  if (state_ == nullptr) {
    before_ = Py().PyGILState_Ensure();  // stays ensured until the environment ends
    is_own_ = true;
  } else {
    Py().PyEval_RestoreThread(state_);
  }
  is_attached = true;
}

void PythonAddon::HoldBuffers(const std::vector<napi_value>& buffers) const noexcept {
  for (const napi_value buffer : buffers) {
    try {
      taught->hold_buffer.Value().Call({buffer});
    } catch (const Napi::Error&) {  // the environment is ending, and nothing can move the memory
    }
  }
}

void PythonAddon::Detach() {
  is_attached = false;
  state_ = Py().PyEval_SaveThread();
}

}  // namespace array_interface
