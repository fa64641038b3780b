#include <cmath>
#include <cstdint>
#include <vector>

#include "calls/callback.hpp"
#include "copies/instant.hpp"
#include "interpreter/entry.hpp"
#include "interpreter/releases.hpp"
#include "lent/lend.hpp"
#include "napi/failure.hpp"
#include "objects/object.hpp"
#include "objects/wrapped.hpp"
#include "values/elements.hpp"
#include "values/error.hpp"
#include "values/integer.hpp"
#include "values/text.hpp"
#include "values/values.hpp"

namespace array_interface {

namespace {

/// What arrays become.
enum class Sequence { kList, kTuple };

using Values = std::vector<napi_value>;

Reference Convert(Napi::Env env, napi_value value, const ValuePath& place, Sequence sequence);

void CheckDepth(Napi::Env env, const ValuePath& place) {
  if (!place.IsTooDeep()) return;
  Refuse(env, place,
         "expected at most " + std::to_string(ValuePath::kDeepest) +
             " levels of arrays and objects, got more, or one that contains itself; flatten it");
}

Reference NumberToPython(napi_env env, napi_value value) {
  double number = 0;
  napi_get_value_double(env, value, &number);
  const bool is_integer = std::trunc(number) == number && std::abs(number) < 0x1p53 &&  // safe
                          !(number == 0 && std::signbit(number));
  return Reference::Take(is_integer ? Py().PyLong_FromLongLong(static_cast<long long>(number))
                                    : Py().PyFloat_FromDouble(number));
}

/// Reads an array's entries while the thread is detached: some may be getters.
Values ReadElements(Napi::Env env, napi_value array, const ValuePath& place) {
  return ReadPaused(env, [&] { return ElementsOf(env, array, place); });
}

/// Makes a list or tuple. Converts its elements before making it: while one of them runs
/// JavaScript, other Python threads may walk through all objects, and a half-filled list would
/// crash the process.
Reference SequenceToPython(Napi::Env env, const Values& elements, const ValuePath& place,
                           Sequence sequence) {
  std::vector<Reference> converted;
  converted.reserve(elements.size());
  for (std::size_t i = 0; i < elements.size(); i++) {
    converted.push_back(Convert(env, elements[i], ValuePath(place, i), sequence));
  }
  const bool is_tuple = sequence == Sequence::kTuple;
  const auto make = is_tuple ? Py().PyTuple_New : Py().PyList_New;
  const auto set = is_tuple ? Py().PyTuple_SetItem : Py().PyList_SetItem;
  Reference made = Checked(env, make(static_cast<Py_ssize_t>(converted.size())));
  Py_ssize_t i = 0;
  for (Reference& element : converted) set(made.get(), i++, element.Give());
  return made;
}

Reference DictToPython(Napi::Env env, const Values& flat, const ValuePath& place) {
  Reference dict = Checked(env, Py().PyDict_New());
  for (std::size_t i = 0; i + 1 < flat.size(); i += 2) {
    const ValuePath here(place, flat[i]);
    const Reference key = Convert(env, flat[i], here, Sequence::kTuple);
    const Reference value = Convert(env, flat[i + 1], here, Sequence::kList);
    if (Py().PyDict_SetItem(dict.get(), key.get(), value.get()) != 0) ThrowPending(env);
  }
  if (static_cast<std::size_t>(Py().PyObject_Size(dict.get())) == flat.size() / 2) return dict;
  Refuse(env, place,
         "expected keys that Python tells apart, got some that are equal there, as 1, 1n and true "
         "are; leave all but one of them out");
}

Reference SetToPython(Napi::Env env, const Values& flat, const ValuePath& place) {
  Reference set = Checked(env, Py().PySet_New(nullptr));
  for (std::size_t i = 0; i < flat.size(); i++) {
    const Reference member = Convert(env, flat[i], ValuePath(place, i), Sequence::kTuple);
    if (Py().PySet_Add(set.get(), member.get()) != 0) ThrowPending(env);
  }
  return set;
}

/// A datetime in UTC, with JavaScript's milliseconds.
Reference DateToPython(Napi::Env env, napi_value date, const ValuePath& place) {
  double milliseconds = 0;
  napi_get_date_value(env, date, &milliseconds);
  if (std::isnan(milliseconds)) {
    Refuse(env, place, "expected a date, got an invalid one; check what it was made of");
  }
  if (milliseconds >= kFirstInstant && milliseconds <= kLastInstant) {
    return Checked(env, InstantInUtc(milliseconds));
  }
  Throw(env, {"ERR_OVERFLOW", place.Text(env),
              "expected a date in the years 1 to 9999, got another, which Python's datetime cannot "
              "be; pass its getTime()",
              "", 0, ""});
}

/// The object of a PyObject that was made for this conversion alone. Left to JavaScript's
/// collector, it would keep the memory of an array.
Reference TakeObject(Napi::Env env, napi_value value) {
  const Napi::Value given(env, value);
  Reference object = Reference::Share(UnwrapObject(given)->object());
  DropObject(given);
  DropReleased();
  return object;
}

/// Converts an object by TypeScript's `entriesOf`, which returns its kind and contents.
Reference EntriesToPython(Napi::Env env, napi_value value, const ValuePath& place,
                          Sequence sequence) {
  CheckDepth(env, place);
  const Napi::Function entries_of = PythonAddon::Of(env).taught->entries_of.Value();
  Values entries =
      ReadPaused(env, [&] { return ElementsOf(env, entries_of.Call({value}), place); });
  const std::string kind = Napi::String(env, entries.front());
  entries.erase(entries.begin());
  if (kind == "dict") return DictToPython(env, entries, place);
  if (kind == "set") return SetToPython(env, entries, place);
  if (kind == "list") return SequenceToPython(env, entries, place, sequence);
  if (kind == "value") return Convert(env, entries.front(), place, sequence);
  if (kind == "object") return TakeObject(env, entries.front());
  Refuse(env, place,
         "expected a plain value, an array, memory, a plain object, a Map, a Set, a Date, a "
         "function or a PyObject, got " +
             Napi::String(env, entries[0]).Utf8Value() + "; " +
             Napi::String(env, entries[1]).Utf8Value());
}

Reference ObjectToPython(Napi::Env env, napi_value value, const ValuePath& place,
                         Sequence sequence) {
  if (const auto hold = UnwrapObject(Napi::Value(env, value))) {
    return Reference::Share(hold->object());
  }
  bool is_array = false;
  napi_is_array(env, value, &is_array);
  if (is_array) {
    CheckDepth(env, place);
    return SequenceToPython(env, ReadElements(env, value, place), place, sequence);
  }
  Reference view = LendToPython(env, value, place);
  if (view) return view;
  bool is_date = false;
  napi_is_date(env, value, &is_date);
  return is_date ? DateToPython(env, value, place) : EntriesToPython(env, value, place, sequence);
}

/// The object of a proxy, or a callable.
Reference FunctionToPython(Napi::Env env, napi_value value) {
  const Napi::Function callee_of = PythonAddon::Of(env).taught->callee_of.Value();
  const Napi::Value callee = ReadPaused(env, [&] { return callee_of.Call({value}); });
  if (const auto hold = UnwrapObject(callee)) return Reference::Share(hold->object());
  const std::string name = callee.As<Napi::String>();
  return MakeCallback(Napi::Function(env, value), name.c_str());  // up to a null character
}

Reference Convert(Napi::Env env, napi_value value, const ValuePath& place, Sequence sequence) {
  napi_valuetype type = napi_undefined;
  napi_typeof(env, value, &type);
  switch (type) {
    case napi_undefined:
    case napi_null:
      return Reference::Share(Py().None);
    case napi_boolean: {
      bool is_true = false;
      napi_get_value_bool(env, value, &is_true);
      return Reference::Share(is_true ? Py().True : Py().False);
    }
    case napi_number:
      return Checked(env, NumberToPython(env, value).Give());
    case napi_bigint:
      return Checked(env, BigintToPython(env, value).Give());
    case napi_string:
      return Checked(env, TextToPython(env, value).Give());
    case napi_function:
      return FunctionToPython(env, value);
    case napi_object:
      return ObjectToPython(env, value, place, sequence);
    default:
      Refuse(env, place,
             type == napi_symbol
                 ? "expected a value that Python can represent, got a symbol; pass text"
                 : "expected a value, got a native handle; pass a PyObject");
  }
}

}  // namespace

Reference ToPython(const Napi::Value& value, const ValuePath& place) {
  return Convert(value.Env(), value, place, Sequence::kList);
}

}  // namespace array_interface
