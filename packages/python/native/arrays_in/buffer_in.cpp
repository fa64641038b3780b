#include "arrays_in/buffer_in.hpp"

#include <atomic>
#include <string>
#include <string_view>
#include <utility>

#include "napi/failure.hpp"
#include "values/error.hpp"

namespace array_interface {

namespace {

/// Python's Py_buffer, whose layout the stable ABI fixes.
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

/// PyBUF_RECORDS_RO: read-only or not, with strides and a format, and without pointers to rows.
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

/// True if a type's attribute is this text. If C made the type, this runs no Python code.
bool Says(PyObject* type, const char* attribute, std::string_view text) {
  const auto value = Reference::Take(Py().PyObject_GetAttrString(type, attribute));
  const char* const said = value ? Py().PyUnicode_AsUTF8AndSize(value.get(), nullptr) : nullptr;
  Py().PyErr_Clear();
  return said != nullptr && said == text;
}

/// True if a type is NumPy's `ndarray`, by its own names: `numpy` among the modules may be another
/// module.
bool IsArrayClass(PyObject* type) {
  static std::atomic<PyObject*> known{nullptr};
  if (known != nullptr) return type == known;
  if ((Py().PyType_GetFlags(type) & kHeapFlag) != 0) return false;
  if (!Says(type, "__name__", "ndarray") || !Says(type, "__module__", "numpy")) return false;
  known = type;  // a type made by C stays
  return true;
}

/// True if NumPy's dict would describe the same layout. The dict has other strides for an axis of
/// length 0 or 1, and core reports out-of-bounds layouts in the dict's own terms.
bool SaysAsDict(const Layout& layout) {
  constexpr std::int64_t kFar = std::int64_t{1} << 53;
  std::int64_t dense = layout.element.size;
  bool is_dense = true;
  bool has_steps = true;
  for (std::size_t axis = layout.shape.size(); axis-- > 0;) {
    const std::int64_t length = layout.shape[axis];
    const std::int64_t stride = layout.strides[axis];
    if (length == 0 || stride >= kFar || stride <= -kFar) return false;
    has_steps = has_steps && length > 1;
    is_dense = is_dense && stride == dense;
    if (__builtin_mul_overflow(dense, length, &dense)) return false;
  }
  return layout.pointer != 0 && (has_steps || is_dense);
}

}  // namespace

BufferLayout BufferOf(Napi::Env env, PyObject* object) {
  BufferLayout buffer;
  // The memoryview keeps the buffer, and releases it with the last reference to it.
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
  if (!IsArrayClass(type.get())) return std::nullopt;
  View view{};
  if (Py().PyObject_GetBuffer(object, &view, kRecords) != 0) {
    Py().PyErr_Clear();  // a date, which the buffer protocol cannot describe
    return std::nullopt;
  }
  std::optional<Layout> layout;
  // The array keeps its memory even after its buffer is released.
  if (auto element = ElementOf(TypestrOf(view))) layout = LayoutOf(view, *std::move(element));
  Py().PyBuffer_Release(&view);
  return layout && SaysAsDict(*layout) ? layout : std::nullopt;
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
