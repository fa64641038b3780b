#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "calls/stay.hpp"
#include "capsule/abi.hpp"
#include "interpreter/abi.hpp"
#include "interpreter/reference.hpp"
#include "lent/lent_list.hpp"
#include "napi/addon.hpp"
#include "napi/object_refs.hpp"
#include "napi/setup.hpp"
#include "objects/boxes.hpp"
#include "objects/outside_bytes.hpp"
#include "values/name_cache.hpp"

namespace array_interface {

class JavaScriptThread;

/// What exists only in TypeScript, as `teach` registers it.
struct Taught {
  Napi::FunctionReference object_class;     ///< PyObject
  Napi::FunctionReference exception_class;  ///< PythonError
  // These take JavaScript objects apart, and build them. They are called while detached.
  Napi::FunctionReference entries_of;
  Napi::FunctionReference callee_of;
  Napi::FunctionReference object_of;
  Napi::FunctionReference map_of;
  Napi::FunctionReference set_of;
  Napi::FunctionReference bytes_of;
  /// Makes a buffer one that cannot be transferred. Called while detached.
  Napi::FunctionReference hold_buffer;
  /// V8's getter of ArrayBuffer.prototype.resizable.
  Napi::FunctionReference resizable;
  /// False in a worker, whose memory ends with it.
  bool is_main_thread = false;
};

/// State of this addon in one environment. It includes the thread's state in Python, which every
/// entry reuses, since making a new one each time would cost five times as much. The state is
/// deleted with the environment, unless its thread started Python.
class PythonAddon : public Addon {
 public:
  PythonAddon(Napi::Env env, Napi::Function error_class);
  ~PythonAddon() override;

  static PythonAddon& Of(Napi::Env env) { return static_cast<PythonAddon&>(Addon::Of(env)); }

  /// The addon of the calling thread's environment. Null if the thread runs no JavaScript.
  static const PythonAddon* OfThisThread();

  /// False if the environment is being terminated, so that its thread must stop waiting. Must be
  /// called on its thread, attached or not.
  bool CanRun() const;

  /// Takes Python's lock with this thread's state, which the first call makes.
  void Attach();
  /// Releases the lock, and keeps the state.
  void Detach();

  /// The thread that started Python has a state from the start.
  void KeepState(PyThreadState* state) { state_ = state; }

  bool is_attached = false;

  /// What other threads may read about this thread, even after its end.
  const std::shared_ptr<Stay> stay = std::make_shared<Stay>();
  /// Null until another thread may have a job for this one; see JavaScriptThread::Of.
  std::shared_ptr<JavaScriptThread> thread;

  /// Makes buffers that Python keeps ones that JavaScript cannot transfer. The thread must be
  /// detached. Never throws.
  void HoldBuffers(const std::vector<napi_value>& buffers) const noexcept;

  /// The JavaScript objects that Python keeps.
  ObjectRefs kept;
  /// The memory that Python has for a call, and may keep.
  LentList lent;
  /// Differs for each environment of the process, even after its end.
  const std::uint64_t id = next_id++;
  NameCache names;
  // Shared, since a PyObject may be collected after this environment's addon.
  const std::shared_ptr<Boxes> boxes = std::make_shared<Boxes>();
  const std::shared_ptr<OutsideBytes> outside_bytes = std::make_shared<OutsideBytes>();
  /// The last capsule that a backend was given, as long as JavaScript has it; see LendCapsule.
  Napi::Reference<Napi::External<ai_array*>> lent_capsule;
  /// The dict in which a worker's code runs that names none. Null before its first, and on the main
  /// thread.
  std::shared_ptr<Hold> names_of_worker;
  /// Null before `teach`. Entering Python requires it.
  std::unique_ptr<Taught> taught;

 private:
  static inline std::atomic<std::uint64_t> next_id{1};

  const napi_env env_;
  PyThreadState* state_ = nullptr;
  bool is_own_ = false;  ///< whether Attach made the state
  int before_ = 0;       ///< the argument for PyGILState_Release
};

}  // namespace array_interface
