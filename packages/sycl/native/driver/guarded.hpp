#pragma once

#include <exception>
#include <string>

#include "sycl_error.hpp"

namespace array_interface::sycl {

template <class Signature>
class Guarded;

/// A function of the runtime's C library from which no foreign exception escapes. Several functions
/// throw C++ exceptions; others catch theirs and return null.
template <class Result, class... Arguments>
class Guarded<Result(Arguments...)> {
 public:
  explicit Guarded(const char* name) : name_(name) {}

  void Bind(void* symbol) { function_ = reinterpret_cast<Result (*)(Arguments...)>(symbol); }

  /// Throws SyclError (ERR_SYCL) for whatever the function throws.
  Result operator()(Arguments... arguments) const {
    try {
      return function_(arguments...);
    } catch (const std::exception& error) {
      Fail(std::string("the exception '") + error.what() + "'");
    } catch (...) {
      Fail("an exception of unknown type");
    }
  }

  /// Calls the function. Treats null as a failure, too.
  Result Must(Arguments... arguments) const {
    Result result = (*this)(arguments...);
    if (result == nullptr) Fail("a failure");
    return result;
  }

  [[noreturn]] void Fail(const std::string& got) const {
    throw SyclError({"ERR_SYCL", "",
                     std::string("expected ") + name_ + " to succeed, got " + got +
                         " from the SYCL runtime; DPCTL_VERBOSITY=warning prints its reason",
                     "", 0, name_});
  }

  const char* name() const { return name_; }

 private:
  const char* name_;
  Result (*function_)(Arguments...) = nullptr;
};

}  // namespace array_interface::sycl
