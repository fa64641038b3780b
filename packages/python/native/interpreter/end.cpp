#include "interpreter/end.hpp"

#include <atomic>
#include <cstdlib>

#include "interpreter/entry.hpp"
#include "interpreter/import_own.hpp"
#include "interpreter/made_once.hpp"
#include "interpreter/own_code.hpp"
#include "interpreter/releases.hpp"

namespace array_interface {

namespace {

std::atomic<bool> is_ending{false};
thread_local bool stays_attached = false;

/// Calls a method without arguments. Ignores what it raises, since there is no caller to report it
/// to.
void CallQuietly(PyObject* object, const char* method) {
  const auto result = Reference::Take(Py().PyObject_CallMethod(object, method, nullptr));
  Py().PyErr_Clear();
}

void End() {
  if (is_ending.exchange(true)) return;
  Py().PyGILState_Ensure();  // never released
  {
    const Detached detached;
    EndReleases();
  }
  stays_attached = true;
  RunExitFunctions();
}

/// The functions that `threading` calls before it joins threads, by which executors finish what
/// they have begun. Python calls them in the same place. Threads of the program's own are not
/// joined.
constexpr const char* kFinish = R"(
def finish(threading):
    for function in reversed(getattr(threading, '_threading_atexits', [])):
        function()
)";

void FinishExecutors() {
  PyObject* const modules = Py().PySys_GetObject("modules");
  const auto threading = Reference::Share(
      modules == nullptr ? nullptr : Py().PyDict_GetItemString(modules, "threading"));
  if (!threading) return;  // so there are none
  static MadeOnce made;
  PyObject* const finish = made.Get([] { return OwnCode(kFinish, "finish"); });
  const auto finished = Reference::Take(
      finish == nullptr ? nullptr
                        : Py().PyObject_CallFunctionObjArgs(finish, threading.get(), nullptr));
  if (!finished) Py().PyErr_WriteUnraisable(Py().None);
}

}  // namespace

void RunExitFunctions() {
  FinishExecutors();
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

bool StaysAttached() { return stays_attached; }

}  // namespace array_interface
