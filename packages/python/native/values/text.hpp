#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// The UTF-8 of a str, which has it as long as it lives. Returns nullopt for any other object, and
/// for a str with a lone surrogate. Leaves no exception pending.
std::optional<std::string_view> Utf8In(PyObject* text);

// Converts text in both directions, lone surrogates included. The thread must be attached.

/// Makes a new str from UTF-16 units. Null, with a Python exception set, if there is no memory.
Reference DecodeText(const char16_t* units, std::size_t length);

/// Converts a JavaScript string to a new str. Null, with a Python exception set, if there is no
/// memory.
Reference TextToPython(napi_env env, napi_value string);

/// Converts a str to a JavaScript string. Throws PythonError, and ERR_OVERFLOW for a str that is
/// too long for JavaScript.
Napi::Value TextToJavaScript(Napi::Env env, PyObject* text);

}  // namespace array_interface
