#pragma once

#include <cstdint>
#include <string>

#include "napi/setup.hpp"

namespace array_interface {

/// The contents of an ArrayInterfaceError. Made on any thread.
struct Failure {
  std::string code;         ///< ERR_…
  std::string path;         ///< where the fault is, or empty
  std::string message;      ///< "expected …, got …, what to do"
  std::string driver_code;  ///< CUDA_ERROR_…, or empty
  std::int64_t driver_number = 0;
  std::string call;  ///< the function that failed, or empty
};

/// The ArrayInterfaceError for a failure, of the class that JavaScript gave the addon.
Napi::Error MakeError(Napi::Env env, const Failure& failure);

/// Throws the failure as an ArrayInterfaceError.
[[noreturn]] inline void Throw(Napi::Env env, const Failure& failure) {
  throw MakeError(env, failure);
}

}  // namespace array_interface
