#include "arrays_in/buffer_in.hpp"

#include <string>
#include <utility>

#include "napi/failure.hpp"
#include "values/error.hpp"
#include "values/kind.hpp"

namespace array_interface {

namespace {

/// A buffer of a Python object, released at the end.
class Buffer {
 public:
  /// `flags` are the request. Empty, with a Python exception set, if the object refuses it.
  Buffer(PyObject* object, int flags)
      : is_held_(Py().PyObject_GetBuffer(object, &view_, flags) == 0) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    if (is_held_) Py().PyBuffer_Release(&view_);
  }

  explicit operator bool() const { return is_held_; }
  const Py_buffer* operator->() const { return &view_; }
  const Py_buffer& operator*() const { return view_; }

 private:
  Py_buffer view_{};
  bool is_held_;
};

/// PyBUF_RECORDS_RO: read-only or not, with strides and a format, and without pointers to rows.
constexpr int kRecords = kStrides | kFormat;
/// PyBUF_SIMPLE.
constexpr int kBytes = 0;

Element ElementOfBuffer(const std::string& typestr, std::int64_t size) {
  if (auto element = ElementOf(typestr)) return *std::move(element);
  return {{kDLOpaqueHandle, 8, static_cast<std::uint16_t>(size)}, typestr, size};
}

std::string FormatOf(const Py_buffer& view) { return view.format == nullptr ? "B" : view.format; }

std::string TypestrOf(const Py_buffer& view) {
  return TypestrOfFormat(FormatOf(view), static_cast<std::size_t>(view.itemsize));
}

Layout LayoutOf(const Py_buffer& view, Element element) {
  const auto rank = static_cast<std::size_t>(view.ndim);
  Layout layout;
  layout.element = std::move(element);
  layout.pointer = reinterpret_cast<std::uintptr_t>(view.buf);
  layout.is_read_only = view.readonly != 0;
  layout.shape.assign(view.shape, view.shape + rank);
  layout.strides.assign(view.strides, view.strides + rank);
  return layout;
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
  // The memoryview keeps the buffer, and releases it with the last reference to it.
  auto memory = Checked(env, Py().PyMemoryView_FromObject(object));
  const Buffer view(memory.get(), kRecords);
  if (!view) ThrowPending(env);
  const std::string typestr = TypestrOf(*view);
  constexpr Py_ssize_t kMostBytes = 65535;
  if (!typestr.empty() && view->itemsize <= kMostBytes && view->itemsize > 0)
    return {LayoutOf(*view, ElementOfBuffer(typestr, view->itemsize)), std::move(memory)};
  Throw(env, {"ERR_DTYPE_UNSUPPORTED", "",
              "expected a buffer of plain elements of 1 to 65535 bytes, got one of format '" +
                  FormatOf(*view) + "'; copy its contents into an array of numbers",
              "", 0, ""});
}

std::optional<Layout> LayoutOfNumPy(PyObject* object) {
  const auto type = Reference::Take(Py().PyObject_Type(object));
  if (!IsNumpyArray(type.get())) return std::nullopt;
  // The array keeps its memory even after its buffer is released.
  const Buffer view(object, kRecords);
  if (!view) {
    Py().PyErr_Clear();  // a date, which the buffer protocol cannot describe
    return std::nullopt;
  }
  auto element = ElementOf(TypestrOf(*view));
  if (!element) return std::nullopt;
  auto layout = LayoutOf(*view, *std::move(element));
  return SaysAsDict(layout) ? std::optional(std::move(layout)) : std::nullopt;
}

BufferBytes BytesOf(Napi::Env env, PyObject* object) {
  auto memory = Checked(env, Py().PyMemoryView_FromObject(object));
  const Buffer view(memory.get(), kBytes);
  if (!view) ThrowPending(env);
  return {reinterpret_cast<std::uintptr_t>(view->buf), static_cast<std::size_t>(view->len),
          view->readonly != 0, std::move(memory)};
}

}  // namespace array_interface
