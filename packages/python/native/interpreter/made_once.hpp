#pragma once

#include <atomic>

#include "interpreter/reference.hpp"

namespace array_interface {

/// An object that the first thread to need it makes, and that is never dropped.
class MadeOnce {
 public:
  /// Calls `make` if there is no object yet. Null, with a Python exception set, if that fails. The
  /// thread must be attached.
  template <class Make>
  PyObject* Get(Make&& make) {
    if (PyObject* const found = object_) return found;
    Reference made = make();
    // Another thread of a free-threaded Python may have made one meanwhile.
    PyObject* other = nullptr;
    if (!made || object_.compare_exchange_strong(other, made.get())) return made.Give();
    return other;
  }

  /// Null if there is none yet.
  PyObject* made() const { return object_; }

 private:
  std::atomic<PyObject*> object_{nullptr};
};

}  // namespace array_interface
