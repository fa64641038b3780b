#include "driver/driver_error.hpp"

#include <utility>

#include "driver/driver.hpp"

namespace array_interface::cuda {

namespace {

using Ask = EntryPoint<Result(Result, const char**)>;

/// Returns the driver's own text. The driver returns null for numbers that it does not know.
std::string Word(const Ask& ask, Result result, const std::string& otherwise) {
  const char* word = nullptr;
  if (!ask.IsBound() || ask.Try(result, &word) != kSuccess || word == nullptr) return otherwise;
  return word;
}

/// Whether nothing works in the context, and perhaps in the process, any more: hardware errors, and
/// those from 700 to 721 that do more than refuse a call.
bool IsLost(Result result) {
  switch (static_cast<int>(result)) {
    case 214:  // ECC_UNCORRECTABLE
    case 220:  // NVLINK_UNCORRECTABLE
    case 226:  // CONTAINED
    case 700:  // ILLEGAL_ADDRESS
    case 702:  // LAUNCH_TIMEOUT
    case 710:  // ASSERT
    case 721:  // TENSOR_MEMORY_LEAK
      return true;
    default:
      return result >= 714 && result <= 719;
  }
}

const char* WhatToDo(Result result) {
  if (result == kOutOfMemory) return "dispose of arrays or use smaller ones";
  if (IsLost(result)) return "the device's context is lost: restart the process";
  if (result == kContextIsDestroyed) {
    return "other code in this process has reset the device or destroyed the context "
           "(cudaDeviceReset, cuDevicePrimaryCtxReset), with all memory and streams in it: restart "
           "the process";
  }
  return "see this call in NVIDIA's reference of the driver API";
}

}  // namespace

bool EndsWork(Result result) { return IsLost(result) || result == kContextIsDestroyed; }

DriverError::DriverError(Result result, const char* call, std::string name, std::string message)
    : result_(result), call_(call), name_(std::move(name)), message_(std::move(message)) {}

DriverError::DriverError(Result result, const char* call, const std::string& detail)
    : result_(result), call_(call) {
  const EntryPoints& api = Driver::Api();
  name_ = Word(api.cuGetErrorName, result, "CUDA_ERROR_" + std::to_string(result));
  const std::string words = Word(api.cuGetErrorString, result, "no description");
  message_ = "expected " + std::string(call) + " to succeed, got " + name_ + " (" + words + ")";
  if (!detail.empty()) message_ += ": " + detail;
  message_ += std::string("; ") + WhatToDo(result);
}

DriverError DriverError::Missing(const char* call) {
  return {kNotFound, call, std::string("CUDA_ERROR_NOT_FOUND"),
          "expected a CUDA driver with " + std::string(call) +
              ", got one without; update the NVIDIA driver"};
}

}  // namespace array_interface::cuda
