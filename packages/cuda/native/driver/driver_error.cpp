#include "driver/driver_error.hpp"

#include <utility>

#include "driver/driver.hpp"

namespace array_interface::cuda {

namespace {

using Ask = EntryPoint<Result(Result, const char**)>;

/// The driver's own text. Its functions give null for numbers that they do not know.
std::string Word(const Ask& ask, Result result, const std::string& otherwise) {
  const char* word = nullptr;
  if (!ask.IsBound() || ask.Try(result, &word) != kSuccess || word == nullptr) return otherwise;
  return word;
}

/// Whether nothing works in the context any more: after 700 to 719, except those that only refuse.
bool IsLost(Result result) {
  return result == 700 || result == 702 || (result >= 714 && result <= 719);
}

const char* WhatToDo(Result result) {
  if (result == kOutOfMemory) return "dispose arrays or use smaller ones";
  if (IsLost(result)) return "the device's context is lost, start the process again";
  return "see the page of that call in the reference of NVIDIA's driver API";
}

}  // namespace

DriverError::DriverError(Result result, const char* call, std::string name, std::string message)
    : result_(result), call_(call), name_(std::move(name)), message_(std::move(message)) {}

DriverError::DriverError(Result result, const char* call, const std::string& detail)
    : result_(result), call_(call) {
  const EntryPoints& api = Driver::Api();
  name_ = Word(api.cuGetErrorName, result, "CUDA_ERROR_" + std::to_string(result));
  const std::string words = Word(api.cuGetErrorString, result, "no words for it");
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
