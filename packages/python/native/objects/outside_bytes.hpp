#pragma once

#include <cstdint>
#include <unordered_map>

#include "interpreter/abi.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// The bytes of Python's arrays that JavaScript keeps, which V8 is told: else it would collect
/// nothing while gigabytes wait. Used on one JavaScript thread.
class OutsideBytes {
 public:
  /// One more PyObject has the object. The bytes of one object count once.
  void Add(napi_env env, PyObject* object, std::int64_t size);
  /// One PyObject less.
  void Remove(napi_env env, PyObject* object);

 private:
  struct Counted {
    std::int64_t size = 0;
    std::size_t count = 0;
  };
  std::unordered_map<PyObject*, Counted> objects_;
};

/// The bytes of an array of NumPy's own class that has its memory itself, if it is large; 0 for
/// any other object. Runs no code of a program. The thread must be attached.
std::int64_t LargeSizeOf(PyObject* object);

}  // namespace array_interface
