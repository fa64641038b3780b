#pragma once

#include <exception>
#include <new>
#include <string>

#include "interpreter/abi.hpp"

namespace array_interface {

/// A C++ exception that becomes BufferError in Python: an array does not support a request.
class Refusal : public std::exception {
 public:
  explicit Refusal(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// Thrown if a Python exception is pending already.
class PendingInPython : public std::exception {};

/// The result of a function that Python calls, or `failed` with a Python exception set.
template <class Result, class Call>
Result Answer(Result failed, Call&& call) noexcept {
  try {
    return call();
  } catch (const PendingInPython&) {
  } catch (const Refusal& refusal) {
    Py().PyErr_SetString(*Py().PyExc_BufferError, refusal.what());
  } catch (const std::bad_alloc&) {
    Py().PyErr_SetString(*Py().PyExc_MemoryError,
                         "expected enough memory in this process, got none; free some of it");
  } catch (const std::exception& error) {
    Py().PyErr_SetString(*Py().PyExc_RuntimeError, error.what());
  } catch (...) {
    Py().PyErr_SetString(*Py().PyExc_RuntimeError, "an unknown failure of a native library");
  }
  return failed;
}

}  // namespace array_interface
