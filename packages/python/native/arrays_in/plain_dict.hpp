#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "arrays_in/held_array.hpp"
#include "interpreter/reference.hpp"

namespace array_interface {

/// The three interfaces.
enum class Protocol { kCuda, kSycl, kHost };

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
  Names();

  PyObject* cuda;  ///< the attribute of each interface
  PyObject* sycl;
  PyObject* host;
  PyObject* version;
  PyObject* shape;
  PyObject* typestr;
  PyObject* data;
  PyObject* strides;
  PyObject* descr;
  PyObject* mask;
  PyObject* stream;
  PyObject* offset;
  PyObject* syclobj;
  PyObject* dlpack;  ///< the methods of DLPack, and the keywords of the first
  PyObject* dlpack_device;
  PyObject* max_version;

  // Values that go with the names.
  PyObject* dlpack_version;  ///< the requested version
  PyObject* legacy_stream;   ///< CUDA's legacy default stream
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

/// PyType_GetFlags of an object's type.
unsigned long FlagsOf(PyObject* object);

}  // namespace array_interface
