#pragma once

#include <exception>
#include <new>
#include <string>

#include "interpreter/abi.hpp"

namespace array_interface {

/// A C++ exception that becomes BufferError in Python: what is asked of an array cannot be had.
class Refusal : public std::exception {
 public:
  explicit Refusal(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// An exception of Python is pending already.
class PendingInPython : public std::exception {};

/// What a function that Python calls gives back, or `failed` with an exception in Python.
template <class Result, class Call>
Result Answer(Result failed, Call&& call) noexcept {
  try {
    return call();
  } catch (const PendingInPython&) {
  } catch (const Refusal& refusal) {
    Py().PyErr_SetString(*Py().PyExc_BufferError, refusal.what());
  } catch (const std::bad_alloc&) {
    Py().PyErr_SetString(*Py().PyExc_MemoryError,
                         "expected room in this process's own memory, got none");
  } catch (const std::exception& error) {
    Py().PyErr_SetString(*Py().PyExc_RuntimeError, error.what());
  } catch (...) {
    Py().PyErr_SetString(*Py().PyExc_RuntimeError, "an unknown failure of a native library");
  }
  return failed;
}

}  // namespace array_interface
