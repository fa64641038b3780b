#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "arrays_in/layout.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// The memory of an object with the buffer protocol.
struct BufferLayout {
  Layout layout;
  /// The memoryview that keeps the memory in place.
  Reference view;
};

/// Gets an object's buffer. Throws PythonError, and ERR_DTYPE_UNSUPPORTED if it contains references
/// to Python objects. The thread must be attached.
BufferLayout BufferOf(Napi::Env env, PyObject* object);

/// The layout of an array of NumPy's own class, by its buffer, which tells what the dict would in a
/// tenth of the time. Returns nullopt for another object, and for an array whose dict tells more.
/// The thread must be attached. Leaves no exception pending.
std::optional<Layout> LayoutOfNumPy(PyObject* object);

/// A contiguous buffer of bytes.
struct BufferBytes {
  std::uint64_t pointer;
  std::size_t byte_length;
  bool is_read_only;
  /// The memoryview that keeps the memory in place.
  Reference view;
};

/// Gets an object's buffer as bytes. Throws PythonError. The thread must be attached.
BufferBytes BytesOf(Napi::Env env, PyObject* object);

}  // namespace array_interface
