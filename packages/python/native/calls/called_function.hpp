#pragma once

#include <memory>
#include <vector>

#include "calls/javascript_thread.hpp"
#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// A JavaScript function that Python may call. It is kept until the last copy of this is destroyed,
/// on any thread.
struct CalledFunction {
  std::shared_ptr<JavaScriptThread> thread;
  std::shared_ptr<void> kept;

  /// Must be called on its thread, before that ends.
  Napi::Function Get() const;
};

/// The arguments of a call by Python; keywords become a last object. The thread must be attached.
/// Throws what conversions throw.
std::vector<napi_value> ArgumentsOf(Napi::Env env, PyObject* args, PyObject* kwargs);

/// Raises in Python what JavaScript threw. The thread must be attached. Never throws.
void Raise(const Napi::Error& error) noexcept;

/// The message for Python if the environment has ended.
constexpr const char* kEnded = "the JavaScript environment has ended";

}  // namespace array_interface
