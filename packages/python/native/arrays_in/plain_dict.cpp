#include "arrays_in/plain_dict.hpp"

#include <string>
#include <utility>
#include <vector>

#include "values/integer.hpp"
#include "values/kind.hpp"
#include "values/text.hpp"

namespace array_interface {

namespace {

constexpr Py_ssize_t kMostAxes = 64;

/// Reads an int, and no instance of another library's subclass. Python's bool counts as an int.
bool ReadInteger(PyObject* object, std::int64_t& integer) {
  if (object == nullptr || !HasFlag(object, kIntFlag)) return false;
  int overflow = 0;
  integer = Py().PyLong_AsLongLongAndOverflow(object, &overflow);
  return overflow == 0;
}

bool ReadAddress(PyObject* object, std::uint64_t& address) {
  std::int64_t integer = 0;
  if (ReadInteger(object, integer)) {
    address = static_cast<std::uint64_t>(integer);
    return integer >= 0;
  }
  if (object == nullptr || !HasFlag(object, kIntFlag)) return false;
  address = Py().PyLong_AsUnsignedLongLong(object);
  return Py().PyErr_Occurred() == nullptr;
}

bool ReadFlag(PyObject* object, bool& flag) {
  flag = object == Py().True;
  return flag || object == Py().False;
}

bool ReadIntegers(PyObject* object, std::vector<std::int64_t>& integers) {
  if (object == nullptr) return false;
  const Sequence sequence(object, kMostAxes);
  if (!sequence.is_valid()) return false;
  integers.resize(static_cast<std::size_t>(sequence.size()));
  for (std::size_t i = 0; i < integers.size(); ++i) {
    if (!ReadInteger(sequence.At(static_cast<Py_ssize_t>(i)), integers[i])) return false;
    if (!IsSafe(integers[i])) return false;
  }
  return true;
}

bool ReadElement(PyObject* object, Element& element) {
  const auto text = object == nullptr ? std::nullopt : Utf8In(object);
  auto read = text ? ElementOf(*text) : std::nullopt;
  if (!read) return false;
  element = *std::move(read);
  return true;
}

bool ReadData(PyObject* object, Layout& layout) {
  if (object == nullptr) return false;
  const Sequence pair(object, 2);
  return pair.is_valid() && pair.size() == 2 && ReadAddress(pair.At(0), layout.pointer) &&
         ReadFlag(pair.At(1), layout.is_read_only);
}

bool ReadVersion(PyObject* dict, Protocol protocol) {
  std::int64_t version = -1;
  if (!ReadInteger(EntryOf(dict, TheNames().version), version)) return false;
  if (protocol == Protocol::kSycl) return version == 1;
  return protocol == Protocol::kHost ? version == 3 : version >= 0 && version <= 3;
}

bool ReadStrides(PyObject* dict, Layout& layout) {
  PyObject* strides = EntryOf(dict, TheNames().strides);
  if (strides != nullptr) {
    return ReadIntegers(strides, layout.strides) && layout.strides.size() == layout.shape.size();
  }
  layout.FillStrides();
  return true;
}

bool Multiply(std::int64_t& elements, std::int64_t size) {
  return !__builtin_mul_overflow(elements, size, &elements);
}

/// Converts SYCL's dict, which counts elements and has an offset, to bytes.
bool CountBytes(PyObject* dict, Layout& layout) {
  const std::int64_t size = layout.element.size;
  if (!layout.element.typestr.empty()) return false;
  if (EntryOf(dict, TheNames().strides) != nullptr) {
    for (auto& stride : layout.strides) {
      if (!Multiply(stride, size)) return false;
    }
  }
  PyObject* given = EntryOf(dict, TheNames().offset);
  std::int64_t offset = 0;
  if (given != nullptr && (!ReadInteger(given, offset) || !Multiply(offset, size))) return false;
  return !__builtin_add_overflow(layout.pointer, offset, &layout.pointer);
}

/// True if the layout is valid by itself.
bool IsSound(const Layout& layout) {
  for (const std::int64_t length : layout.shape) {
    if (length < 0) return false;
  }
  return layout.pointer != 0 || layout.IsEmpty();
}

bool Read(PyObject* dict, Protocol protocol, PlainDict& plain) {
  const Names& names = TheNames();
  Layout& layout = plain.layout;
  if (!ReadVersion(dict, protocol) || !ReadElement(EntryOf(dict, names.typestr), layout.element) ||
      !ReadIntegers(EntryOf(dict, names.shape), layout.shape) ||
      !ReadData(EntryOf(dict, names.data), layout) || !IsSound(layout) ||
      !ReadStrides(dict, layout) || EntryOf(dict, names.mask) != nullptr)
    return false;
  if (protocol == Protocol::kSycl) return CountBytes(dict, layout);
  if (protocol == Protocol::kHost) return true;
  PyObject* stream = EntryOf(dict, names.stream);
  if (stream != nullptr) return ReadAddress(stream, plain.stream) && plain.stream != 0;
  plain.stream = 1;
  return true;
}

}  // namespace

const Names& TheNames() {
  static const Names names;
  return names;
}

Reference OwnCopy(Reference given) {
  if (!given || !HasFlag(given.get(), kDictFlag)) return given;
  return Reference::Take(Py().PyDict_Copy(given.get()));
}

PyObject* EntryOf(PyObject* dict, PyObject* key) {
  PyObject* entry = Py().PyDict_GetItemWithError(dict, key);
  if (entry == nullptr) Py().PyErr_Clear();
  return entry == Py().None ? nullptr : entry;
}

Sequence::Sequence(PyObject* object, Py_ssize_t most) {
  const unsigned long flags = FlagsOf(object);
  if ((flags & kListFlag) != 0 && Py().PyList_Size(object) <= most) {
    items_ = Reference::Take(Py().PyList_AsTuple(object));
  } else if ((flags & kTupleFlag) != 0 && Py().PyTuple_Size(object) <= most) {
    items_ = Reference::Share(object);
  }
}

std::optional<PlainDict> ReadPlainDict(PyObject* dict, Protocol protocol) {
  if (!HasFlag(dict, kDictFlag)) return std::nullopt;
  PlainDict plain;
  const bool is_plain = Read(dict, protocol, plain);
  Py().PyErr_Clear();
  if (!is_plain) return std::nullopt;
  return plain;
}

}  // namespace array_interface
