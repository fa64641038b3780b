#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "calls/stay.hpp"
#include "capsule/abi.hpp"
#include "interpreter/abi.hpp"
#include "napi/addon.hpp"
#include "napi/object_refs.hpp"
#include "napi/setup.hpp"
#include "values/name_cache.hpp"

namespace array_interface {

class JavaScriptThread;

/// What this addon keeps for one environment: the thread's state in Python, which every entry uses
/// again, since a new one for each would cost five times as much. It goes with the environment, but
/// that of the thread that started Python stays.
class PythonAddon : public Addon {
 public:
  PythonAddon(Napi::Env env, Napi::Function error_class);
  ~PythonAddon() override;

  static PythonAddon& Of(Napi::Env env) { return static_cast<PythonAddon&>(Addon::Of(env)); }

  /// That of the environment whose thread calls. Null: the thread runs no JavaScript.
  static const PythonAddon* OfThisThread();

  /// False: the environment is being ended from outside, and what its thread waits for is of no use
  /// any more. On its thread, attached or not.
  bool CanRun() const;

  /// Takes Python's lock with this thread's state, which the first call makes.
  void Attach();
  /// Lets go of it, and keeps the state.
  void Detach();

  /// The thread that started Python has its state from the start.
  void KeepState(PyThreadState* state) { state_ = state; }

  bool is_attached = false;

  /// What other threads may know of this one, also after its end.
  const std::shared_ptr<Stay> stay = std::make_shared<Stay>();
  /// Null until another thread may have something for this one; see JavaScriptThread::Of.
  std::shared_ptr<JavaScriptThread> thread;

  /// What Python keeps of JavaScript's.
  ObjectRefs kept;
  /// Another one for each environment of the process, also after its end.
  const std::uint64_t id = NextId();
  NameCache names;
  /// The last capsule that a backend was given, as long as JavaScript has it; see LendCapsule.
  Napi::Reference<Napi::External<ai_array*>> lent_capsule;
  /// Whether `teach` has set all of these: what enters Python needs them.
  bool is_taught = false;
  /// PyObject and PythonError; see `teach`.
  Napi::FunctionReference object_class;
  Napi::FunctionReference exception_class;
  /// What takes JavaScript's objects apart and puts them together. Called while detached.
  Napi::FunctionReference entries_of;
  Napi::FunctionReference object_of;
  Napi::FunctionReference map_of;
  Napi::FunctionReference set_of;
  Napi::FunctionReference bytes_of;

 private:
  static std::uint64_t NextId() {
    static std::atomic<std::uint64_t> next{1};
    return next++;
  }

  const napi_env env_;
  PyThreadState* state_ = nullptr;
  bool is_own_ = false;  ///< whether Attach made the state
  int before_ = 0;       ///< what PyGILState_Release wants back
};

}  // namespace array_interface
