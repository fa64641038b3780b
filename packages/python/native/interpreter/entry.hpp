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
};

/// Detaches an attached JavaScript thread while it runs JavaScript that Python called.
class Pause {
 public:
  explicit Pause(PythonAddon& addon);
  Pause(const Pause&) = delete;
  Pause& operator=(const Pause&) = delete;
  ~Pause();

 private:
  PythonAddon& addon_;
};

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
