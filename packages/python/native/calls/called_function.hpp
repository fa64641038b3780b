#pragma once

#include <memory>
#include <vector>

#include "calls/javascript_thread.hpp"
#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// A JavaScript function that Python may call, kept until the last copy of this goes, on any
/// thread.
struct CalledFunction {
  std::shared_ptr<JavaScriptThread> thread;
  std::shared_ptr<void> kept;

  /// On its thread, before its end.
  Napi::Function Get() const;
};

/// The arguments of a call by Python, keywords as a last object. The thread is attached. Throws
/// what conversions throw.
std::vector<napi_value> ArgumentsOf(Napi::Env env, PyObject* args, PyObject* kwargs);

/// Raises in Python what JavaScript threw. The thread is attached. Never throws.
void Raise(const Napi::Error& error) noexcept;

/// What Python is told of an environment that is no more.
constexpr const char* kEnded = "the JavaScript environment has ended";

}  // namespace array_interface
