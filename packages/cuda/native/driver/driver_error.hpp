#pragma once

#include <exception>
#include <string>

#include "driver/abi.hpp"

namespace array_interface::cuda {

/// Whether a call's answer says that work in its context is over, since the context is lost or gone
/// with all that ran there. Any other error only refuses the call, and says nothing of work.
bool EndsWork(Result result);

/// A driver call that failed, or a function that the driver lacks.
class DriverError : public std::exception {
 public:
  /// `detail`: what the driver said beyond the number, if anything.
  DriverError(Result result, const char* call, const std::string& detail = "");

  static DriverError Missing(const char* call);

  const char* what() const noexcept override { return message_.c_str(); }

  Result result() const { return result_; }
  const char* call() const { return call_; }
  /// `CUDA_ERROR_ILLEGAL_ADDRESS`, or `CUDA_ERROR_<number>` for one that the driver cannot name.
  const std::string& name() const { return name_; }

 private:
  DriverError(Result result, const char* call, std::string name, std::string message);

  Result result_;
  const char* call_;
  std::string name_;
  std::string message_;
};

}  // namespace array_interface::cuda
