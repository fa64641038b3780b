#include "arrays_in/buffer_in.hpp"

#include <atomic>
#include <string>
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

std::string FormatOf(const View& view) { return view.format == nullptr ? "B" : view.format; }

std::string TypestrOf(const View& view) {
  return TypestrOfFormat(FormatOf(view), static_cast<std::size_t>(view.itemsize));
}

Layout LayoutOf(const View& view, Element element) {
  const auto rank = static_cast<std::size_t>(view.ndim);
  Layout layout;
  layout.element = std::move(element);
  layout.pointer = reinterpret_cast<std::uintptr_t>(view.buf);
  layout.is_read_only = view.readonly != 0;
  layout.shape.assign(view.shape, view.shape + rank);
  layout.strides.assign(view.strides, view.strides + rank);
  return layout;
}

/// NumPy's `ndarray`, once it was imported. Null before.
PyObject* ArrayClass() {
  static std::atomic<PyObject*> known{nullptr};
  if (known == nullptr) {
    static PyObject* const name = Py().PyUnicode_InternFromString("numpy");
    const auto numpy = Reference::Take(Py().PyImport_GetModule(name));
    auto made =
        numpy ? Reference::Take(Py().PyObject_GetAttrString(numpy.get(), "ndarray")) : Reference();
    Py().PyErr_Clear();
    PyObject* none = nullptr;
    if (made && known.compare_exchange_strong(none, made.get())) static_cast<void>(made.Give());
  }
  return known;
}

}  // namespace

BufferLayout BufferOf(Napi::Env env, PyObject* object) {
  BufferLayout buffer;
  // The memoryview holds the buffer, and gives it back with the last reference to it.
  buffer.view = Checked(env, Py().PyMemoryView_FromObject(object));
  View view{};
  if (Py().PyObject_GetBuffer(buffer.view.get(), &view, kRecords) != 0) ThrowPending(env);
  const std::string typestr = TypestrOf(view);
  constexpr Py_ssize_t kMostBytes = 65535;
  if (!typestr.empty() && view.itemsize <= kMostBytes && view.itemsize > 0) {
    buffer.layout = LayoutOf(view, ElementOfBuffer(typestr, view.itemsize));
    Py().PyBuffer_Release(&view);
    return buffer;
  }
  const std::string format = FormatOf(view);
  Py().PyBuffer_Release(&view);
  Throw(env, {"ERR_DTYPE_UNSUPPORTED", "",
              "expected a buffer of plain elements of 1 to 65535 bytes, got one of format '" +
                  format + "'; copy what it has into an array of numbers",
              "", 0, ""});
}

std::optional<Layout> LayoutOfNumPy(PyObject* object) {
  const auto type = Reference::Take(Py().PyObject_Type(object));
  if (type.get() != ArrayClass()) return std::nullopt;
  View view{};
  if (Py().PyObject_GetBuffer(object, &view, kRecords) != 0) {
    Py().PyErr_Clear();  // a date, which buffers do not know
    return std::nullopt;
  }
  std::optional<Layout> layout;
  // The array keeps its memory also when its buffer is given back.
  if (auto element = ElementOf(TypestrOf(view))) layout = LayoutOf(view, *std::move(element));
  Py().PyBuffer_Release(&view);
  // Of an array without elements the dict has other strides.
  return layout && !layout->IsEmpty() ? layout : std::nullopt;
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
