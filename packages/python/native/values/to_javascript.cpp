#include <cstring>
#include <string>
#include <utility>

#include "interpreter/entry.hpp"
#include "napi/failure.hpp"
#include "objects/object.hpp"
#include "values/error.hpp"
#include "values/integer.hpp"
#include "values/kind.hpp"
#include "values/text.hpp"
#include "values/values.hpp"

namespace array_interface {

namespace {

/// V8 ends the process if it has no memory for an ArrayBuffer. JavaScript's own constructor throws
/// instead, and is used from this size on.
constexpr Py_ssize_t kLarge = 1 << 24;

Napi::Value Convert(Napi::Env env, Reference object, const ValuePath& place, Depth depth);

void CheckDepth(Napi::Env env, const ValuePath& place) {
  if (!place.IsTooDeep()) return;
  Refuse(env, place,
         "expected at most " + std::to_string(ValuePath::kDeepest) +
             " levels of lists and dicts, got more, or one that contains itself; read it in parts");
}

Napi::Array NewArray(Napi::Env env, std::size_t length, const ValuePath& place) {
  if (length <= kMostElements) return Napi::Array::New(env, length);
  Throw(env, {"ERR_OVERFLOW", place.Text(env),
              "expected at most " + std::to_string(kMostElements) + " elements, got " +
                  std::to_string(length) + "; read it in parts, or numbers as a NumPy array",
              "", 0, ""});
}

Napi::Uint8Array NewBytes(Napi::Env env, Py_ssize_t size) {
  if (size < kLarge) return Napi::Uint8Array::New(env, static_cast<std::size_t>(size));
  const Napi::Value length = Napi::Number::New(env, static_cast<double>(size));
  return CallPaused(env, &Taught::bytes_of, {length}).As<Napi::Uint8Array>();
}

Napi::Value Bytes(Napi::Env env, PyObject* bytes) {
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (Py().PyBytes_AsStringAndSize(bytes, &data, &size) != 0) ThrowPending(env);
  Napi::Uint8Array array = NewBytes(env, size);
  if (size > 0) std::memcpy(array.Data(), data, static_cast<std::size_t>(size));
  return array;
}

/// Converts the elements of a tuple, which cannot change meanwhile.
Napi::Array Elements(Napi::Env env, PyObject* tuple, const ValuePath& place, Depth depth) {
  CheckDepth(env, place);
  const auto length = static_cast<std::size_t>(Py().PyTuple_Size(tuple));
  auto array = NewArray(env, length, place);
  for (std::size_t i = 0; i < length; i++) {
    const Napi::HandleScope scope(env);
    auto element = Reference::Share(Py().PyTuple_GetItem(tuple, static_cast<Py_ssize_t>(i)));
    const Napi::Value value = Convert(env, std::move(element), ValuePath(place, i), depth);
    if (napi_set_element(env, array, static_cast<std::uint32_t>(i), value) != napi_ok) {
      throw Napi::Error::New(env);
    }
  }
  return array;
}

/// Converts a list, or the list of an iterable's values. Reads a copy, since it may change while it
/// is read.
Napi::Array Copied(Napi::Env env, PyObject* list, const ValuePath& place, Depth depth) {
  return Elements(env, Checked(env, Py().PySequence_Tuple(list)).get(), place, depth);
}

/// A key and its value in a tuple. `items` of a user's class may return anything.
Reference PairAt(Napi::Env env, PyObject* items, std::size_t i, const ValuePath& place) {
  PyObject* const item = Py().PyTuple_GetItem(items, static_cast<Py_ssize_t>(i));
  Reference pair = Checked(env, Py().PySequence_Tuple(item));
  if (Py().PyTuple_Size(pair.get()) == 2) return pair;
  Refuse(env, place,
         "expected pairs of a key and a value from items(), got " +
             std::to_string(Py().PyTuple_Size(pair.get())) + " values in one; use get and call");
}

/// Converts a dict, or another mapping: to an object if all keys are text, otherwise to a Map.
Napi::Value Mapping(Napi::Env env, PyObject* mapping, const ValuePath& place, Depth depth) {
  CheckDepth(env, place);
  const Reference items = Checked(env, Py().PyMapping_Items(mapping));
  const Reference pairs = Checked(env, Py().PyList_AsTuple(items.get()));
  const auto length = static_cast<std::size_t>(Py().PyTuple_Size(pairs.get()));
  auto keys = NewArray(env, length, place);
  auto values = NewArray(env, length, place);
  bool is_object = true;
  for (std::size_t i = 0; i < length; i++) {
    const Napi::HandleScope scope(env);
    const Reference pair = PairAt(env, pairs.get(), i, place);
    auto given_key = Reference::Share(Py().PyTuple_GetItem(pair.get(), 0));
    auto given_value = Reference::Share(Py().PyTuple_GetItem(pair.get(), 1));
    const Napi::Value key = Convert(env, std::move(given_key), ValuePath(place, i), depth);
    is_object = is_object && key.IsString();
    const Napi::Value value = Convert(env, std::move(given_value), ValuePath(place, key), depth);
    napi_set_element(env, keys, static_cast<std::uint32_t>(i), key);
    napi_set_element(env, values, static_cast<std::uint32_t>(i), value);
  }
  return CallPaused(env, is_object ? &Taught::object_of : &Taught::map_of, {keys, values});
}

Napi::Value Set(Napi::Env env, PyObject* set, const ValuePath& place) {
  return CallPaused(env, &Taught::set_of, {Copied(env, set, place, Depth::kWhole)});
}

/// Converts the result of `tolist`, of NumPy's arrays and scalars, tensors, …; it must be plain.
Napi::Value FromToList(Napi::Env env, PyObject* object, const ValuePath& place) {
  Reference list = Checked(env, Py().PyObject_CallMethod(object, "tolist", nullptr));
  if (KindOf(list.get()) == Kind::kOther) {
    Refuse(env, place,
           "expected a value that JavaScript can represent, got an object of the class " +
               ClassName(list.get()) + "; use get and call");
  }
  return Convert(env, std::move(list), place, Depth::kWhole);
}

/// Converts what is no plain value: sets, mutable bytes, objects with `tolist`, mappings,
/// iterables.
Napi::Value Whole(Napi::Env env, PyObject* object, const ValuePath& place) {
  const auto type = Reference::Take(Py().PyObject_Type(object));
  const auto derives = [&](PyObject* base) { return Py().PyType_IsSubtype(type.get(), base) != 0; };
  const auto has = [&](const char* name) {
    return Py().PyObject_HasAttrString(type.get(), name) != 0;
  };
  if (derives(Py().PySet_Type) || derives(Py().PyFrozenSet_Type)) return Set(env, object, place);
  if (derives(Py().PyByteArray_Type)) {
    return Bytes(env, Checked(env, Py().PyBytes_FromObject(object)).get());
  }
  if (has("tolist")) return FromToList(env, object, place);
  if (has("keys") && has("items")) return Mapping(env, object, place, Depth::kWhole);
  if (has("__iter__") || has("__getitem__")) return Copied(env, object, place, Depth::kWhole);
  Refuse(env, place,
         "expected a value that JavaScript can represent, got an object of the class " +
             ClassName(object) + "; use get and call");
}

Napi::Value Convert(Napi::Env env, Reference object, const ValuePath& place, Depth depth) {
  PyObject* const it = object.get();
  if (it == Py().None) return env.Null();
  if (it == Py().True) return Napi::Boolean::New(env, true);
  if (it == Py().False) return Napi::Boolean::New(env, false);
  switch (KindOf(it)) {
    case Kind::kInt:
      return IntegerToJavaScript(env, it);
    case Kind::kFloat:
      return Napi::Number::New(env, Py().PyFloat_AsDouble(it));
    case Kind::kStr:
      return TextToJavaScript(env, it);
    case Kind::kBytes:
      return Bytes(env, it);
    case Kind::kList:
      return Elements(env, Checked(env, Py().PyList_AsTuple(it)).get(), place, depth);
    case Kind::kTuple:
      return Elements(env, it, place, depth);
    case Kind::kDict:
      return Mapping(env, it, place, depth);
    default:
      return depth == Depth::kWhole ? Whole(env, it, place) : WrapObject(env, std::move(object));
  }
}

}  // namespace

Napi::Value ToJavaScript(Napi::Env env, PyObject* object, Depth depth) {
  return Convert(env, Reference::Share(object), ValuePath(), depth);
}

}  // namespace array_interface
