#pragma once

#include <cstddef>

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

// Text of both sides, lone surrogates included. The thread is attached.

/// UTF-16 units as a new str; null, with a Python exception set, where memory is short.
Reference DecodeText(const char16_t* units, std::size_t length);

/// A JavaScript string as a new str; null, with a Python exception set, where memory is short.
Reference TextToPython(napi_env env, napi_value string);

/// A str as a JavaScript string. Throws PythonError, or ERR_OVERFLOW for one that is too long for
/// JavaScript.
Napi::Value TextToJavaScript(Napi::Env env, PyObject* text);

}  // namespace array_interface
