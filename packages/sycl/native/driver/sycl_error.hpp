#pragma once

#include <exception>
#include <string>
#include <utility>

#include "napi/failure.hpp"

namespace array_interface::sycl {

/// An error for JavaScript. All code below the bindings throws it.
class SyclError : public std::exception {
 public:
  explicit SyclError(Failure failure) : failure_(std::move(failure)) {}
  SyclError(std::string code, std::string path, std::string message)
      : failure_{std::move(code), std::move(path), std::move(message), "", 0, ""} {}

  const Failure& failure() const noexcept { return failure_; }
  const char* what() const noexcept override { return failure_.message.c_str(); }

 private:
  Failure failure_;
};

}  // namespace array_interface::sycl
