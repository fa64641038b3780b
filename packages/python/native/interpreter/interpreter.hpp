#pragma once

#include <cstddef>
#include <string>

#include "interpreter/python_addon.hpp"

namespace array_interface {

/// The paths and version of a Python.
struct PythonInstallation {
  std::string library;  ///< its libpython, a real path
  std::string program;  ///< the program whose environment Python takes
  std::string prefix;   ///< the folder of that environment, a real path
  std::string version;  ///< as `3.13.0`; ends in `t` for a free-threaded build
};

/// The CPython of this process. There is one, from its start to the end of the process.
struct RunningPython {
  PythonInstallation place;
  /// Bytes of an object's header. A type's own fields follow it.
  std::size_t header_size = 0;
  /// Python's own getattr, taken before any program runs.
  PyObject* get_attribute = nullptr;

  /// True if it has no global interpreter lock.
  bool is_free_threaded() const;
};

/// Loads a libpython and starts it as the program. Does nothing if the same library and environment
/// run already. In a worker, Python starts on its own thread, which is its main thread and never
/// ends. Throws ERR_BACKEND_UNAVAILABLE.
void StartPython(Napi::Env env, const PythonInstallation& place);

/// The Python that runs. Null before StartPython has returned.
const RunningPython* ThePython();

}  // namespace array_interface
