#include "arrays_in/buffer_in.hpp"

#include <string_view>
#include <utility>

#include "napi/failure.hpp"
#include "values/error.hpp"

namespace array_interface {

namespace {

/// Python's Py_buffer, which the stable ABI fixes.
struct View {
  void* buf;
  PyObject* obj;
  Py_ssize_t len;
  Py_ssize_t itemsize;
  int readonly;
  int ndim;
  char* format;
  Py_ssize_t* shape;
  Py_ssize_t* strides;
  Py_ssize_t* suboffsets;
  void* internal;
};

/// PyBUF_RECORDS_RO: read-only or not, with strides and a format; no pointers to rows.
constexpr int kRecords = 0x1C;
/// PyBUF_SIMPLE.
constexpr int kBytes = 0;

Element ElementOfBuffer(const std::string& typestr, std::int64_t size) {
  if (auto element = ElementOf(typestr)) return *std::move(element);
  return {{kDLOpaqueHandle, 8, static_cast<std::uint16_t>(size)}, typestr, size};
}

Layout LayoutOf(const View& view, const std::string& typestr) {
  const auto rank = static_cast<std::size_t>(view.ndim);
  Layout layout;
  layout.element = ElementOfBuffer(typestr, view.itemsize);
  layout.pointer = reinterpret_cast<std::uintptr_t>(view.buf);
  layout.is_read_only = view.readonly != 0;
  layout.shape.assign(view.shape, view.shape + rank);
  layout.strides.assign(view.strides, view.strides + rank);
  return layout;
}

}  // namespace

BufferLayout BufferOf(Napi::Env env, PyObject* object) {
  BufferLayout buffer;
  // The memoryview holds the buffer, and gives it back with the last reference to it.
  buffer.view = Checked(env, Py().PyMemoryView_FromObject(object));
  View view{};
  if (Py().PyObject_GetBuffer(buffer.view.get(), &view, kRecords) != 0) ThrowPending(env);
  const std::string format = view.format == nullptr ? "B" : view.format;
  const std::string typestr = TypestrOfFormat(format, static_cast<std::size_t>(view.itemsize));
  constexpr Py_ssize_t kMostBytes = 65535;
  if (!typestr.empty() && view.itemsize <= kMostBytes && view.itemsize > 0) {
    buffer.layout = LayoutOf(view, typestr);
    Py().PyBuffer_Release(&view);
    return buffer;
  }
  Py().PyBuffer_Release(&view);
  Throw(env, {"ERR_DTYPE_UNSUPPORTED", "",
              "expected a buffer of plain elements of 1 to 65535 bytes, got one of format '" +
                  format + "'; copy what it has into an array of numbers",
              "", 0, ""});
}

BufferBytes BytesOf(Napi::Env env, PyObject* object) {
  BufferBytes bytes;
  bytes.view = Checked(env, Py().PyMemoryView_FromObject(object));
  View view{};
  if (Py().PyObject_GetBuffer(bytes.view.get(), &view, kBytes) != 0) ThrowPending(env);
  bytes.pointer = reinterpret_cast<std::uintptr_t>(view.buf);
  bytes.byte_length = static_cast<std::size_t>(view.len);
  bytes.is_read_only = view.readonly != 0;
  Py().PyBuffer_Release(&view);
  return bytes;
}

}  // namespace array_interface
