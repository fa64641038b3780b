#include "copies/copy.hpp"

#include <optional>
#include <string>

#include "copies/instant.hpp"
#include "copies/refusal.hpp"
#include "interpreter/entry.hpp"
#include "interpreter/import_own.hpp"
#include "napi/failure.hpp"
#include "values/elements.hpp"
#include "values/error.hpp"
#include "values/kind.hpp"
#include "values/values.hpp"

namespace array_interface {

namespace {

/// True for an instance of an abstract class of `collections.abc`.
bool IsAbstract(Napi::Env env, PyObject* object, const char* name) {
  const Reference module = Checked(env, ImportOwn("_collections_abc"));
  const Reference type = Checked(env, Py().PyObject_GetAttrString(module.get(), name));
  const int is_one = Py().PyObject_IsInstance(object, type.get());
  if (is_one < 0) ThrowPending(env);
  return is_one == 1;
}

/// One copy. `depth` is how many levels of containers are still to be copied.
class Copy {
 public:
  Copy(Napi::Env env, const CopyOptions& options) : env_(env), options_(options) {}

  Napi::Value Convert(PyObject* object, const ValuePath& place, std::size_t depth) const {
    if (depth == 0) return ToJavaScript(env_, object);
    const Kind kind = BaseKindOf(object);
    const Napi::Value plain = Plain(object, place, kind);
    return plain.IsEmpty() ? Composed(object, place, depth) : plain;
  }

 private:
  Napi::Value Plain(PyObject* object, const ValuePath& place, Kind kind) const {
    if (options_.is_json && kind == Kind::kBytes) RefuseJson(env_, place, "bytes", "tolist it");
    const Napi::Value value = PlainToJavaScript(env_, object, kind);
    if (options_.is_json && value.IsBigInt()) {
      RefuseJson(env_, place, "an int beyond 2^53 - 1", "pass String(object)");
    }
    return value;
  }

  Napi::Value Composed(PyObject* object, const ValuePath& place, std::size_t depth) const {
    const unsigned long flags = FlagsOf(object);
    if ((flags & kTupleFlag) != 0) return Elements(object, place, depth);
    if ((flags & kListFlag) != 0) return Iterated(object, place, depth);
    if ((flags & kDictFlag) != 0) return Mapping(object, place, depth);
    if (Derives(object, Py().PySet_Type) || Derives(object, Py().PyFrozenSet_Type)) {
      return Set(object, place, depth);
    }
    if (Derives(object, Py().PyByteArray_Type)) return ByteArray(object, place);
    return Other(object, place, depth);
  }

  /// Converts the elements of a tuple, which cannot change meanwhile.
  Napi::Array Elements(PyObject* tuple, const ValuePath& place, std::size_t depth) const {
    CheckDepth(place);
    const auto length = static_cast<std::size_t>(Py().PyTuple_Size(tuple));
    auto array = NewArray(length, place);
    for (std::size_t i = 0; i < length; i++) {
      const Napi::HandleScope scope(env_);
      const auto element =
          Reference::Share(Py().PyTuple_GetItem(tuple, static_cast<Py_ssize_t>(i)));
      const Napi::Value value = Convert(element.get(), ValuePath(place, i), depth - 1);
      if (napi_set_element(env_, array, static_cast<std::uint32_t>(i), value) != napi_ok) {
        throw Napi::Error::New(env_);
      }
    }
    return array;
  }

  /// Converts the values of an iterable. Reads a copy, since a list may change while it is read.
  Napi::Array Iterated(PyObject* iterable, const ValuePath& place, std::size_t depth) const {
    return Elements(Checked(env_, Py().PySequence_Tuple(iterable)).get(), place, depth);
  }

  /// To an object if all keys are text, otherwise to a Map.
  Napi::Value Mapping(PyObject* mapping, const ValuePath& place, std::size_t depth) const {
    CheckDepth(place);
    const Reference items = Checked(env_, Py().PyMapping_Items(mapping));
    const Reference pairs = Checked(env_, Py().PyList_AsTuple(items.get()));
    const auto length = static_cast<std::size_t>(Py().PyTuple_Size(pairs.get()));
    auto keys = NewArray(length, place);
    auto values = NewArray(length, place);
    bool is_object = !options_.always_maps;
    for (std::size_t i = 0; i < length; i++) {
      const Napi::HandleScope scope(env_);
      const Reference pair = PairAt(pairs.get(), i, place);
      const auto given_key = Reference::Share(Py().PyTuple_GetItem(pair.get(), 0));
      const auto given_value = Reference::Share(Py().PyTuple_GetItem(pair.get(), 1));
      const Napi::Value key = Convert(given_key.get(), ValuePath(place, i), depth - 1);
      is_object = is_object && key.IsString();
      if (options_.is_json && !key.IsString()) {
        RefuseJson(env_, ValuePath(place, i), "a key that is no text", "make its keys text");
      }
      const Napi::Value value = Convert(given_value.get(), ValuePath(place, key), depth - 1);
      napi_set_element(env_, keys, static_cast<std::uint32_t>(i), key);
      napi_set_element(env_, values, static_cast<std::uint32_t>(i), value);
    }
    const auto build = is_object ? &Taught::object_of : &Taught::map_of;
    return BuildDistinct(env_, build, {keys, values}, place);
  }

  /// A key and its value in a tuple. `items` of a user's class may return anything.
  Reference PairAt(PyObject* items, std::size_t i, const ValuePath& place) const {
    PyObject* const item = Py().PyTuple_GetItem(items, static_cast<Py_ssize_t>(i));
    Reference pair = Checked(env_, Py().PySequence_Tuple(item));
    if (Py().PyTuple_Size(pair.get()) == 2) return pair;
    Refuse(env_, place,
           "expected pairs of a key and a value from items(), got " +
               std::to_string(Py().PyTuple_Size(pair.get())) + " values in one; use get and call");
  }

  Napi::Value Set(PyObject* set, const ValuePath& place, std::size_t depth) const {
    if (options_.is_json) RefuseJson(env_, place, "a set", "pass [...object]");
    return CallPaused(env_, &Taught::set_of, {Iterated(set, place, depth)});
  }

  Napi::Value ByteArray(PyObject* bytes, const ValuePath& place) const {
    if (options_.is_json) RefuseJson(env_, place, "bytes", "pass [...object]");
    return BytesToJavaScript(env_, Checked(env_, Py().PyBytes_FromObject(bytes)).get());
  }

  Napi::Value Other(PyObject* object, const ValuePath& place, std::size_t depth) const {
    const Napi::Value date = Date(object, place);
    if (!date.IsEmpty()) return date;
    if (IsAbstract(env_, object, "Mapping")) return Mapping(object, place, depth);
    if (ClassHas(object, "tolist")) return List(object, place, depth);
    if (IsAbstract(env_, object, "Sequence")) return Iterated(object, place, depth);
    const bool is_table = ClassHas(object, "keys") || ClassHas(object, "to_dict");
    if (IsIterable(object) && !is_table) return Iterated(object, place, depth);
    RefuseObject(env_, object, place);
  }

  /// A Date; for JSON, the text of a datetime, a date or a time. Empty for other objects.
  Napi::Value Date(PyObject* object, const ValuePath& place) const {
    const bool is_datetime = IsOfDatetime(object, "datetime");
    if (options_.is_json &&
        (is_datetime || IsOfDatetime(object, "date") || IsOfDatetime(object, "time"))) {
      const Reference text = Checked(env_, Py().PyObject_CallMethod(object, "isoformat", nullptr));
      return PlainToJavaScript(env_, text.get(), KindOf(text.get()));
    }
    if (!is_datetime) return {};
    const auto count = MillisecondsOf(object);
    if (!count) RefuseObject(env_, object, place);
    if (!*count) ThrowPending(env_);
    const double milliseconds = PlainToJavaScript(env_, count->get(), Kind::kInt).ToNumber();
    return Napi::Date::New(env_, milliseconds);
  }

  /// Converts the result of `tolist`, of NumPy's arrays and scalars, tensors, …. Of dates of
  /// NumPy's it is bare integers, without a unit.
  Napi::Value List(PyObject* object, const ValuePath& place, std::size_t depth) const {
    if (HasDatesOfNumpy(env_, object)) RefuseObject(env_, object, place);
    const Reference list = Checked(env_, Py().PyObject_CallMethod(object, "tolist", nullptr));
    const Napi::Value plain = Plain(list.get(), place, KindOf(list.get()));
    if (!plain.IsEmpty()) return plain;
    const auto type = Reference::Take(Py().PyObject_Type(list.get()));
    if (type.get() == Py().PyTuple_Type) return Elements(list.get(), place, depth);
    if (type.get() == Py().PyList_Type) return Iterated(list.get(), place, depth);
    RefuseObject(env_, object, place);
  }

  void CheckDepth(const ValuePath& place) const {
    if (!place.IsTooDeep()) return;
    Refuse(env_, place,
           "expected at most " + std::to_string(ValuePath::kDeepest) +
               " levels of lists and dicts, got more, or one that contains itself; read it in "
               "parts");
  }

  Napi::Array NewArray(std::size_t length, const ValuePath& place) const {
    if (length <= kMostElements) return Napi::Array::New(env_, length);
    Throw(env_, {"ERR_OVERFLOW", place.Text(env_),
                 "expected at most " + std::to_string(kMostElements) + " elements, got " +
                     std::to_string(length) + "; read it in parts, or numbers as a NumPy array",
                 "", 0, ""});
  }

  const Napi::Env env_;
  const CopyOptions options_;
};

}  // namespace

Napi::Value CopyToJavaScript(Napi::Env env, PyObject* object, const CopyOptions& options) {
  return Copy(env, options).Convert(object, ValuePath(), options.depth);
}

}  // namespace array_interface
