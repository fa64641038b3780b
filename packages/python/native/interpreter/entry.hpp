#pragma once

#include <initializer_list>

#include "interpreter/python_addon.hpp"

namespace array_interface {

// Python's lock (the GIL; on free-threaded builds, being attached) is never held while JavaScript
// runs. An Entry takes it for one call, and a Pause releases it while Python calls JavaScript.

/// Attaches a JavaScript thread to Python, and drops references that finalizers released meanwhile.
/// Nested entries do nothing. Throws ERR_BACKEND_UNAVAILABLE before startPython, even if other
/// threads have called it.
class Entry {
 public:
  explicit Entry(Napi::Env env);
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;
  ~Entry();

 private:
  PythonAddon& addon_;
  bool is_outermost_;
  std::size_t lent_before_ = 0;
};

/// Detaches an attached JavaScript thread while it runs JavaScript that Python called. Keeps the
/// memory that Python has of JavaScript's, which could detach it.
class Pause {
 public:
  explicit Pause(PythonAddon& addon);
  Pause(const Pause&) = delete;
  Pause& operator=(const Pause&) = delete;
  ~Pause();

 private:
  PythonAddon& addon_;
};

/// Detaches an attached JavaScript thread, and keeps nothing.
class Reading {
 public:
  explicit Reading(PythonAddon& addon) : addon_(addon) { addon_.Detach(); }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() { addon_.Attach(); }

 private:
  PythonAddon& addon_;
};

/// Keeps at its end what conversions within a scope of handles have lent, since their handles end
/// with that scope.
class KeepingLent {
 public:
  explicit KeepingLent(PythonAddon& addon) : addon_(addon) {}
  KeepingLent(const KeepingLent&) = delete;
  KeepingLent& operator=(const KeepingLent&) = delete;
  ~KeepingLent() {
    if (!addon_.lent.empty()) const Pause pause(addon_);
  }

 private:
  PythonAddon& addon_;
};

/// Reads a JavaScript value that is being converted, from an attached JavaScript thread, which is
/// detached meanwhile. What this conversion has lent is not kept: Python has not begun to use it.
/// Throws ERR_DISPOSED if reading, which may run a program's getters, detached a buffer of that.
template <class Read>
auto ReadPaused(Napi::Env env, Read&& read) {
  PythonAddon& addon = PythonAddon::Of(env);
  auto result = [&] {
    const Reading reading(addon);
    return read();
  }();
  addon.lent.CheckAttached(env);
  return result;
}

/// Calls a function of TypeScript's from an attached JavaScript thread, which is detached
/// meanwhile.
Napi::Value CallPaused(Napi::Env env, Napi::FunctionReference Taught::*function,
                       const std::initializer_list<napi_value>& arguments);

/// Attaches any thread that is not JavaScript's, or attaches one of Python's again.
class Attached {
 public:
  Attached() : state_(Py().PyGILState_Ensure()) {}
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;
  ~Attached() { Py().PyGILState_Release(state_); }

 private:
  int state_;
};

/// Detaches an attached thread while it waits for something else.
class Detached {
 public:
  Detached() : state_(Py().PyEval_SaveThread()) {}
  Detached(const Detached&) = delete;
  Detached& operator=(const Detached&) = delete;
  ~Detached() { Py().PyEval_RestoreThread(state_); }

 private:
  PyThreadState* state_;
};

}  // namespace array_interface
