#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "arrays_in/held_array.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// The memory of an object with the buffer protocol.
struct BufferLayout {
  Layout layout;
  /// The memoryview that keeps the memory where it is.
  Reference view;
};

/// Asks for an object's buffer. Throws PythonError, and ERR_DTYPE_UNSUPPORTED where it has
/// references to Python objects. The thread is attached.
BufferLayout BufferOf(Napi::Env env, PyObject* object);

/// The layout of an array of NumPy's own class, by its buffer, which says what the array's dict
/// does in a tenth of the time. None: another object, or one whose dict says more. The
/// thread is attached, and no exception is pending afterwards.
std::optional<Layout> LayoutOfNumPy(PyObject* object);

/// A buffer as bytes in one piece.
struct BufferBytes {
  std::uint64_t pointer = 0;
  std::size_t byte_length = 0;
  bool is_read_only = false;
  /// As above.
  Reference view;
};

/// Asks for an object's buffer as bytes. Throws PythonError. The thread is attached.
BufferBytes BytesOf(Napi::Env env, PyObject* object);

}  // namespace array_interface
