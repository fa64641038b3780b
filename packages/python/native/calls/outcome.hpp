#pragma once

#include <utility>

#include "interpreter/reference.hpp"

namespace array_interface {

/// The outcome of Python code: a value or an exception. One thread makes it, another may take it,
/// and any thread may drop it.
class Outcome {
 public:
  Outcome() = default;
  /// Takes the result of a Python function or, if it is null, the pending exception. The thread
  /// must be attached.
  static Outcome Take(PyObject* result);
  Outcome(Outcome&& other) noexcept
      : object_(std::exchange(other.object_, nullptr)), is_exception_(other.is_exception_) {}
  Outcome& operator=(Outcome&& other) noexcept {
    std::swap(object_, other.object_);
    std::swap(is_exception_, other.is_exception_);
    return *this;
  }
  ~Outcome();

  /// Returns a new reference to the value, or null with the exception set. May be called once. The
  /// thread must be attached.
  PyObject* Give();

 private:
  Outcome(PyObject* object, bool is_exception) : object_(object), is_exception_(is_exception) {}

  PyObject* object_ = nullptr;
  bool is_exception_ = false;
};

}  // namespace array_interface
