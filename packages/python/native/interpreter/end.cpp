#include "interpreter/end.hpp"

#include <atomic>
#include <cstdlib>

#include "interpreter/import_own.hpp"

namespace array_interface {

namespace {

std::atomic<bool> is_ending{false};

/// Calls a method without arguments. Ignores what it raises, since there is no caller to report it
/// to.
void CallQuietly(PyObject* object, const char* method) {
  const auto result = Reference::Take(Py().PyObject_CallMethod(object, method, nullptr));
  Py().PyErr_Clear();
}

void End() {
  if (is_ending.exchange(true)) return;
  Py().PyGILState_Ensure();  // never released
  RunExitFunctions();
}

}  // namespace

void RunExitFunctions() {
  const auto atexit = ImportOwn("atexit");
  if (atexit) CallQuietly(atexit.get(), "_run_exitfuncs");
  Py().PyErr_Clear();
  for (const char* name : {"stdout", "stderr"}) {
    const auto stream = Reference::Share(Py().PySys_GetObject(name));
    if (stream) CallQuietly(stream.get(), "flush");
  }
}

void StayAttachedAtExit() { std::atexit(End); }

bool IsEnding() { return is_ending; }

}  // namespace array_interface
