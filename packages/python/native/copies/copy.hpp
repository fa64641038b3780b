#pragma once

#include <cstddef>

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

constexpr std::size_t kAllLevels = static_cast<std::size_t>(-1);

/// How `toJS` copies, and `toJSON`.
struct CopyOptions {
  /// Levels of containers that are copied. What is deeper is what `get` returns.
  std::size_t depth;
  /// True if every mapping becomes a Map, not only one with a key that is no text.
  bool always_maps = false;
  /// True if only what JSON has is allowed. Dates are then text.
  bool is_json = false;
};

/// Copies a Python object to a JavaScript value. Throws ERR_TYPE with the path of what JavaScript
/// has no value for, ERR_OVERFLOW, PythonError. The thread must be attached.
Napi::Value CopyToJavaScript(Napi::Env env, PyObject* object, const CopyOptions& options);

}  // namespace array_interface
