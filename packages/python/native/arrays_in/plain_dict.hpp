#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "arrays/exchange.hpp"
#include "arrays_in/layout.hpp"
#include "interpreter/reference.hpp"
#include "values/kind.hpp"

namespace array_interface {

/// The three interfaces, as JavaScript numbers them.
enum class Protocol { kCuda, kSycl, kHost };
constexpr std::array<Protocol, 3> kProtocols{Protocol::kCuda, Protocol::kSycl, Protocol::kHost};

/// The name of an interface's attribute.
constexpr const char* AttributeOf(Protocol protocol) {
  constexpr std::array<const char*, 3> names{"__cuda_array_interface__",
                                             "__sycl_usm_array_interface__", "__array_interface__"};
  return names[static_cast<std::size_t>(protocol)];
}

/// A valid dict that contains only an address, a layout and a plain element.
struct PlainDict {
  Layout layout;
  std::uint64_t stream = 0;  ///< CUDA's; the legacy default stream if the dict names none
};

/// Reads a dict that only this addon refers to. Returns nullopt if core must read it, or refuse it
/// with its own message. The thread must be attached. Leaves no exception pending.
std::optional<PlainDict> ReadPlainDict(PyObject* dict, Protocol protocol);

/// Copies a producer's dict, so that nothing else can change it. Its entries may then be borrowed
/// while other threads, and Python code of theirs, run. Returns anything else unchanged. Null, with
/// a Python exception set, if a subclass of dict raised it, or if there is no memory.
Reference OwnCopy(Reference given);

/// The value of a key, borrowed from a dict that only this addon refers to. Null if it is absent or
/// None, or if `dict` is no dict.
PyObject* EntryOf(PyObject* dict, PyObject* key);

/// Names as Python strings, made once.
struct Names {
  // The attribute of each interface, by protocol, and the entries of their dicts.
  std::array<PyObject*, 3> const attributes{
      Py().PyUnicode_InternFromString(AttributeOf(Protocol::kCuda)),
      Py().PyUnicode_InternFromString(AttributeOf(Protocol::kSycl)),
      Py().PyUnicode_InternFromString(AttributeOf(Protocol::kHost))};
  PyObject* const version = Py().PyUnicode_InternFromString("version");
  PyObject* const shape = Py().PyUnicode_InternFromString("shape");
  PyObject* const typestr = Py().PyUnicode_InternFromString("typestr");
  PyObject* const data = Py().PyUnicode_InternFromString("data");
  PyObject* const strides = Py().PyUnicode_InternFromString("strides");
  PyObject* const descr = Py().PyUnicode_InternFromString("descr");
  PyObject* const mask = Py().PyUnicode_InternFromString("mask");
  PyObject* const stream = Py().PyUnicode_InternFromString("stream");
  PyObject* const offset = Py().PyUnicode_InternFromString("offset");
  PyObject* const syclobj = Py().PyUnicode_InternFromString("syclobj");
  // The methods of DLPack, a keyword of the first, and the attribute of a class.
  PyObject* const dlpack = Py().PyUnicode_InternFromString("__dlpack__");
  PyObject* const dlpack_device = Py().PyUnicode_InternFromString("__dlpack_device__");
  PyObject* const max_version = Py().PyUnicode_InternFromString("max_version");
  PyObject* const exchange = Py().PyUnicode_InternFromString(kExchangeAttribute);

  // Values that go with the names.
  PyObject* const zero = Py().PyLong_FromLongLong(0);
  PyObject* const one = Py().PyLong_FromLongLong(1);
  PyObject* const legacy_stream = one;  ///< CUDA's legacy default stream
  PyObject* const dlpack_version = Py().PyTuple_Pack(2, one, zero);  ///< the requested version
};
const Names& TheNames();

/// The items that a tuple or list has now.
class Sequence {
 public:
  /// `most`: the maximum number of items.
  Sequence(PyObject* object, Py_ssize_t most);

  /// False if the object is neither, or has more items. If there is no memory, an exception is
  /// pending.
  bool is_valid() const { return static_cast<bool>(items_); }
  Py_ssize_t size() const { return Py().PyTuple_Size(items_.get()); }
  /// Borrowed from this.
  PyObject* At(Py_ssize_t index) const { return Py().PyTuple_GetItem(items_.get(), index); }

 private:
  Reference items_;  ///< a tuple, which is immutable
};

}  // namespace array_interface
