#include "interpreter/interpreter.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <mutex>
#include <string>
#include <thread>

#include "interpreter/abi.hpp"
#include "interpreter/end.hpp"
#include "interpreter/import_own.hpp"
#include "interpreter/inherited_streams.hpp"
#include "interpreter/other_copy.hpp"
#include "interpreter/output.hpp"
#include "interpreter/own_libraries.hpp"
#include "interpreter/reference.hpp"
#include "interpreter/sycl_driver.hpp"
#include "napi/failure.hpp"

namespace array_interface {

namespace {

std::mutex starting;
std::atomic<const RunningPython*> running{nullptr};

[[noreturn]] void Refuse(Napi::Env env, const char* path, const std::string& message) {
  Throw(env, {"ERR_BACKEND_UNAVAILABLE", path, message, "", 0, ""});
}

void CheckSame(Napi::Env env, const PythonInstallation& place, const RunningPython& running) {
  if (place.library != running.place.library) {
    Refuse(env, "library",
           "expected the running Python, " + running.place.library + ", got " + place.library +
               "; a process has only one Python, so start another process for this one");
  }
  if (place.prefix != running.place.prefix) {
    Refuse(env, "venv",
           "expected the environment of the running Python, " + running.place.prefix + ", got " +
               place.prefix +
               "; a process has only one environment, so start another process for this one, or "
               "install "
               "its packages in the first");
  }
}

/// True if `3.13.0t`, or a text of Py_GetVersion, describes a free-threaded build.
bool IsFree(const std::string& version) {
  return (!version.empty() && version.back() == 't') ||
         version.find("free-threading") != std::string::npos;
}

/// `3.13t` for such a text.
std::string ShortVersion(const std::string& version) {
  return version.substr(0, version.find('.', version.find('.') + 1)) + (IsFree(version) ? "t" : "");
}

/// Something else in the process has started Python: most likely a second copy of this package.
[[noreturn]] void RefuseRunning(Napi::Env env, const std::string& library) {
  const std::string expected = "expected a libpython that is not yet running, got one that ";
  const std::string other = OtherCopy();
  if (other.empty()) {
    Refuse(env, "library", expected + "is: " + library + "; start Python only with startPython");
  }
  Refuse(env, "library",
         expected + "another copy of this package has started, with " + other +
             "; have one copy: npm ls @array-interface/python lists them, and npm dedupe or one "
             "version for all leaves one");
}

void Load(Napi::Env env, const PythonInstallation& place) {
  const LoadedLibrary loaded = LoadPython(place.library);
  if (!loaded.failure.empty()) {
    Refuse(env, "library",
           "expected a libpython, got a file that cannot be loaded: " + loaded.failure +
               "; name a shared libpython of CPython 3.10 or newer");
  }
  if (!loaded.missing.empty()) {
    Refuse(env, "library",
           "expected a libpython of CPython 3.10 or newer, got a library without " +
               loaded.missing.front() + ": " + place.library + "; name another library");
  }
  if (Py().Py_IsInitialized() != 0) RefuseRunning(env, place.library);
  const std::string got = ShortVersion(Py().Py_GetVersion());
  const std::string expected = ShortVersion(place.version);
  if (got == expected) {
    KeepPython(place.library);
    return;
  }
  UnloadPython();
  Refuse(env, "library",
         "expected the libpython of " + place.program + ", which is Python " + expected +
             ", got that of Python " + got + ": " + place.library +
             "; name a library and an environment that belong together, or only one of the two");
}

Reference BuiltIn(const char* name) {
  const auto builtins = ImportOwn("builtins");
  return Reference::Take(Py().PyObject_GetAttrString(builtins.get(), name));
}

/// The size differs between builds: 16 bytes, or 32 on a free-threaded one.
std::size_t MeasureHeader() {
  const auto object = BuiltIn("object");
  const auto size = Reference::Take(Py().PyObject_GetAttrString(object.get(), "__basicsize__"));
  int overflow = 0;
  return static_cast<std::size_t>(Py().PyLong_AsLongLongAndOverflow(size.get(), &overflow));
}

/// Converts valid UTF-8 to a program name for Python. Py_DecodeLocale of CPython 3.12 and later
/// uses the locale, and the C locale has no letters but ASCII's.
std::wstring Wide(const std::string& utf8) {
  std::wstring wide;
  for (const char one : utf8) {
    const auto byte = static_cast<unsigned char>(one);
    if (byte < 0x80) {
      wide.push_back(static_cast<wchar_t>(byte));
    } else if (byte < 0xc0) {  // six more bits of the current character
      wide.back() = static_cast<wchar_t>(wide.back() * 64 + (byte & 0x3f));
    } else {
      wide.push_back(static_cast<wchar_t>(byte & (byte < 0xe0 ? 0x1f : byte < 0xf0 ? 0x0f : 0x07)));
    }
  }
  return wide;
}

/// Starts Python on this thread, notes what it finds, and releases its lock. Returns the thread's
/// state.
PyThreadState* Initialize(RunningPython& python) {
  // Before the start: in the C locale, Python's file names and output would be ASCII.
  *Py().UTF8Mode = 1;
  static const std::wstring name = Wide(python.place.program);  // Python reads it later too
  Py().Py_SetProgramName(name.c_str());
  Py().Py_InitializeEx(0);  // Node keeps handling signals
  python.header_size = MeasureHeader();
  python.get_attribute = BuiltIn("getattr").Give();
  WriteThrough();
  UseOwnLibraries();
  return Py().PyEval_SaveThread();
}

bool IsMainThread() { return syscall(SYS_gettid) == getpid(); }

/// Starts Python on a thread that never ends: Python's main thread must not end with a worker.
void InitializeParked(RunningPython& python) {
  std::promise<void> done;
  std::thread([&] {
    PyThreadState* state = Initialize(python);
    Py().PyEval_RestoreThread(state);
    ImportOwn("threading");  // `threading` takes the importing thread for the main thread
    Py().PyEval_SaveThread();
    done.set_value();
    while (true) pause();
  }).detach();
  done.get_future().wait();
}

}  // namespace

bool RunningPython::is_free_threaded() const { return IsFree(place.version); }

void StartPython(Napi::Env env, const PythonInstallation& place) {
  const std::lock_guard lock(starting);
  if (const RunningPython* const python = running) return CheckSame(env, place, *python);
  Load(env, place);
  NameSyclDriver(place.prefix);
  InheritStreams();
  auto* const python = new RunningPython{place};  // never destroyed
  if (IsMainThread()) {
    PythonAddon::Of(env).KeepState(Initialize(*python));
  } else {
    InitializeParked(*python);
  }
  StayAttachedAtExit();
  running = python;
}

const RunningPython* ThePython() { return running; }

}  // namespace array_interface
