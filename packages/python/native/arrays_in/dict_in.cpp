#include "arrays_in/dict_in.hpp"

#include <string>
#include <utility>
#include <vector>

#include "arrays_in/buffer_in.hpp"
#include "arrays_in/plain_value.hpp"
#include "arrays_in/sycl_place.hpp"
#include "napi/failure.hpp"
#include "objects/object.hpp"
#include "values/error.hpp"
#include "values/integer.hpp"
#include "values/kind.hpp"

namespace array_interface {

namespace {

Napi::Value Integers(Napi::Env env, const std::vector<std::int64_t>& integers) {
  auto list = Napi::Array::New(env, integers.size());
  std::uint32_t index = 0;
  for (const std::int64_t integer : integers) list[index++] = Integer(env, integer);
  return list;
}

/// The offset of the first element in a buffer, in bytes. Core refuses elements outside the buffer
/// later.
std::uint64_t OffsetIn(Napi::Env env, PyObject* dict) {
  PyObject* const given = EntryOf(dict, TheNames().offset);
  if (given == nullptr) return 0;
  if (Py().PyIndex_Check(given) == 0) {
    Throw(env, {"ERR_TYPE", "offset",
                "expected an integer, got an object of the class " + ClassName(given) +
                    "; pass the offset in bytes from the start of the buffer",
                "", 0, ""});
  }
  const auto integer = Checked(env, Py().PyNumber_Index(given));
  int overflow = 0;
  const long long offset = Py().PyLong_AsLongLongAndOverflow(integer.get(), &overflow);
  if (overflow == 0) return static_cast<std::uint64_t>(offset);
  Throw(env, {"ERR_OVERFLOW", "offset",
              "expected an offset of 64 bits, got one that does not fit; pass the offset in bytes "
              "from the start of the buffer",
              "", 0, ""});
}

/// Returns `data` as a pair, if the dict names a buffer, or if it has no `data`, which means the
/// object's own buffer. Adds to `made` what keeps the buffer, and the buffer's range.
Napi::Value BufferData(Napi::Env env, PyObject* object, PyObject* dict, Napi::Object made) {
  PyObject* data = EntryOf(dict, TheNames().data);
  const BufferBytes bytes = BytesOf(env, data == nullptr ? object : data);
  const std::uint64_t offset = OffsetIn(env, dict);
  made["start"] = Address(env, bytes.pointer);
  made["byteLength"] = static_cast<double>(bytes.byte_length);
  made["view"] = KeepObject(env, bytes.view.get());
  auto pair = Napi::Array::New(env, 2);
  pair[0U] = Address(env, bytes.pointer + offset);
  pair[1U] = Napi::Boolean::New(env, bytes.is_read_only);
  return pair;
}

/// True if the dict's `data` is memory by the buffer protocol.
bool HasBufferData(PyObject* object, PyObject* dict) {
  PyObject* data = EntryOf(dict, TheNames().data);
  if (data != nullptr && HasFlag(data, kTupleFlag | kListFlag)) return false;
  return Py().PyObject_CheckBuffer(data == nullptr ? object : data) != 0;
}

/// A mask's dict, in an object like its array's. Core refuses anything else.
Napi::Value Mask(Napi::Env env, PyObject* mask, Protocol protocol, int depth) {
  auto given = IfPresent(env, Py().PyObject_GetAttrString(mask, AttributeOf(protocol)));
  if (!given || depth > 1) return WrapObject(env, Reference::Share(mask));
  const auto dict = Checked(env, OwnCopy(std::move(given)));
  return Produced(env, mask, dict.get(), protocol, depth + 1);
}

}  // namespace

Napi::Object Produced(Napi::Env env, PyObject* object, PyObject* dict, Protocol protocol,
                      int depth) {
  auto made = Napi::Object::New(env);
  made["hold"] = KeepObject(env, object);
  if (!HasFlag(dict, kDictFlag)) {
    Throw(env, {"ERR_TYPE", AttributeOf(protocol),
                "expected a dict, got an object of the class " + ClassName(dict) +
                    "; pass an array, not its class, and check what its library exports",
                "", 0, ""});
  }
  made["dict"] = KeepObject(env, dict);  // it may keep alive what the object does not
  const Names& names = TheNames();
  auto plain = Napi::Object::New(env);
  const auto set = [&](const char* key, PyObject* name) {
    PyObject* const entry = Py().PyDict_GetItemWithError(dict, name);
    if (entry != nullptr) plain[key] = PlainValue(env, entry);
    Py().PyErr_Clear();
  };
  set("version", names.version);
  set("shape", names.shape);
  set("typestr", names.typestr);
  set("data", names.data);
  set("strides", names.strides);
  set("descr", names.descr);
  if (PyObject* mask = EntryOf(dict, names.mask)) {
    plain["mask"] = Mask(env, mask, protocol, depth);
  }
  if (protocol == Protocol::kCuda) {
    set("stream", names.stream);
    // Objects of this process work on the legacy default stream unless they name another.
    if (EntryOf(dict, names.stream) == nullptr) plain["stream"] = 1;
  } else {
    set("offset", names.offset);
  }
  if (protocol == Protocol::kSycl) SetPlace(env, dict, plain, made);
  if (protocol == Protocol::kHost && HasBufferData(object, dict)) {
    plain["data"] = BufferData(env, object, dict, made);
  }
  made[AttributeOf(protocol)] = plain;
  return made;
}

Napi::Object ProducedOnHost(Napi::Env env, const Layout& layout, Reference owner) {
  const Element& element = layout.element;
  auto pair = Napi::Array::New(env, 2);
  pair[0U] = Address(env, layout.pointer);
  pair[1U] = Napi::Boolean::New(env, layout.is_read_only);
  auto plain = Napi::Object::New(env);
  plain["version"] = 3;
  plain["shape"] = Integers(env, layout.shape);
  plain["typestr"] = element.typestr.empty() ? TypestrOf(element.dtype) : element.typestr;
  plain["strides"] = Integers(env, layout.strides);
  plain["data"] = pair;
  auto made = Napi::Object::New(env);
  made[AttributeOf(Protocol::kHost)] = plain;
  made["hold"] = KeepObject(env, owner.get());
  return made;
}

}  // namespace array_interface
