#pragma once

#include <memory>
#include <utility>

#include "interpreter/abi.hpp"

namespace array_interface {

/// One reference to a Python object, or none. The thread must be attached while it is made, moved
/// away or dropped.
class Reference {
 public:
  Reference() = default;
  /// Takes over a reference, such as a function's result that is a new reference.
  static Reference Take(PyObject* object) { return Reference(object); }
  /// Adds a reference to a borrowed object.
  static Reference Share(PyObject* object) {
    if (object != nullptr) Py().Py_IncRef(object);
    return Reference(object);
  }
  Reference(Reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Reference& operator=(Reference&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Reference() {
    if (object_ != nullptr) Py().Py_DecRef(object_);
  }

  PyObject* get() const { return object_; }
  /// Returns the reference itself, which the caller then owns.
  PyObject* Give() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  explicit Reference(PyObject* object) : object_(object) {}

  PyObject* object_ = nullptr;
};

/// One reference to a Python object that may be dropped on any thread, attached or not, even by a
/// JavaScript finalizer. The object itself is then dropped a little later, on another thread.
class Hold {
 public:
  explicit Hold(Reference reference) : object_(reference.Give()) {}
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  ~Hold();

  /// Valid while this lives.
  PyObject* object() const { return object_; }

 private:
  PyObject* object_;
};

}  // namespace array_interface
