#pragma once

#include <cstdint>
#include <string>

#include "napi/setup.hpp"

namespace array_interface {

/// The contents of an ArrayInterfaceError. Can be made on any thread.
struct Failure {
  std::string code;         ///< ERR_…
  std::string path;         ///< the argument at fault, or empty
  std::string message;      ///< "expected …, got …, what to do"
  std::string driver_code;  ///< CUDA_ERROR_…, or empty
  std::int64_t driver_number = 0;
  std::string call;  ///< the function that failed, or empty
};

/// Makes the ArrayInterfaceError for a failure, with the class that JavaScript passed to the addon.
Napi::Error MakeError(Napi::Env env, const Failure& failure);

/// Throws the failure as an ArrayInterfaceError.
[[noreturn]] inline void Throw(Napi::Env env, const Failure& failure) {
  throw MakeError(env, failure);
}

}  // namespace array_interface
