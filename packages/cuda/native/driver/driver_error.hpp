#pragma once

#include <exception>
#include <string>

#include "driver/abi.hpp"

namespace array_interface::cuda {

/// Whether a call's result means that work in its context is over, since the context is lost, or
/// destroyed with everything that ran there. Any other error only refuses the call and implies
/// nothing about work.
bool EndsWork(Result result);

/// A driver call that failed, or a function that the driver lacks.
class DriverError : public std::exception {
 public:
  /// `detail`: what the driver reported beyond the number, if anything.
  DriverError(Result result, const char* call, const std::string& detail = "");

  static DriverError Missing(const char* call);

  const char* what() const noexcept override { return message_.c_str(); }

  Result result() const { return result_; }
  const char* call() const { return call_; }
  /// `CUDA_ERROR_ILLEGAL_ADDRESS`, for example, or `CUDA_ERROR_<number>` if the driver has no name
  /// for it.
  const std::string& name() const { return name_; }

 private:
  DriverError(Result result, const char* call, std::string name, std::string message);

  Result result_;
  const char* call_;
  std::string name_;
  std::string message_;
};

}  // namespace array_interface::cuda
