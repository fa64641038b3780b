#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "arrays_in/held_array.hpp"
#include "interpreter/reference.hpp"

namespace array_interface {

/// The three interfaces.
enum class Protocol { kCuda, kSycl, kHost };

/// A dict that says no more than an address, a layout and a plain element, correctly.
struct PlainDict {
  Layout layout;
  std::uint64_t stream = 0;  ///< CUDA's; the legacy default stream where the dict names none
};

/// Reads a dict that is our own. None: core has to read it, or to refuse it in its words. The
/// thread is attached, and no exception is pending afterwards.
std::optional<PlainDict> ReadPlainDict(PyObject* dict, Protocol protocol);

/// What a producer gave, as nobody else can change it: a copy of a dict, whose entries may then be
/// borrowed while other threads and Python code of theirs run. Anything else is as it was. Null,
/// with a Python exception set: a subclass of dict raised it, or memory is short.
Reference OwnCopy(Reference given);

/// The value of a key, borrowed from a dict that is our own. Null: absent or None, or no dict.
PyObject* EntryOf(PyObject* dict, PyObject* key);

/// Names as Python's strings, made once.
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
  PyObject* dlpack;  ///< the methods of DLPack, and what the first of them is asked with
  PyObject* dlpack_device;
  PyObject* max_version;

  // No names, but what goes with them.
  PyObject* dlpack_version;  ///< the one that is asked for
  PyObject* legacy_stream;   ///< CUDA's legacy default stream
};
const Names& TheNames();

/// The items that a tuple or list has by now.
class Sequence {
 public:
  /// `most`: how many items it may have.
  Sequence(PyObject* object, Py_ssize_t most);

  /// False: the object is neither, or has more items. An exception is pending where memory is
  /// short.
  bool is_valid() const { return static_cast<bool>(items_); }
  Py_ssize_t size() const { return Py().PyTuple_Size(items_.get()); }
  /// Borrowed from this.
  PyObject* At(Py_ssize_t index) const { return Py().PyTuple_GetItem(items_.get(), index); }

 private:
  Reference items_;  ///< a tuple, which does not change
};

/// What PyType_GetFlags says of an object's type.
unsigned long FlagsOf(PyObject* object);

}  // namespace array_interface
