#pragma once

#include <cstddef>
#include <string>

#include "interpreter/python_addon.hpp"

namespace array_interface {

/// Where a Python lies.
struct PythonPlace {
  std::string library;  ///< its libpython, a real path
  std::string program;  ///< the program whose environment Python takes
  std::string prefix;   ///< the folder of that environment, a real path
  std::string version;  ///< as `3.13.0`; with `t` behind it for a free-threaded build
};

/// The CPython of this process. There is one, from its start to the end of the process.
class Interpreter {
 public:
  /// Loads a libpython and starts it as the program. Started again with the same library and
  /// environment, it does nothing. On a worker, Python starts on a thread of its own, which is its
  /// main thread and stays. Throws ERR_BACKEND_UNAVAILABLE.
  static void Start(Napi::Env env, const PythonPlace& place);

  static bool IsStarted();
  /// Where the Python that runs lies. It was started.
  static const PythonPlace& ValuePath();
  /// What Py_GetVersion says.
  static std::string Version();
  /// Whether it has no lock that all threads share.
  static bool IsFreeThreaded();
  /// Bytes of an object's header, behind which a type's own fields lie.
  static std::size_t HeaderSize();
  /// Python's own getattr, as it is before any program runs.
  static PyObject* GetAttr();
};

}  // namespace array_interface
