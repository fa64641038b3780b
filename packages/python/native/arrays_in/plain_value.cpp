#include "arrays_in/plain_value.hpp"

#include <algorithm>
#include <memory>

#include "arrays_in/plain_dict.hpp"
#include "objects/object.hpp"
#include "values/error.hpp"
#include "values/integer.hpp"
#include "values/kind.hpp"
#include "values/text.hpp"

namespace array_interface {

namespace {

constexpr int kMostDepth = 40;            // core refuses records deeper than 32
constexpr Py_ssize_t kMostItems = 65537;  // and lists of more than 65536 fields
/// Lists that share parts, or contain themselves, may have any number of items in all. Core refuses
/// records of more than 65536 fields in all, each with a name, a type and perhaps a shape.
constexpr Py_ssize_t kMostInAll = Py_ssize_t{1} << 19;

/// Wraps an object that is no plain value. Core refuses it, and reports its path.
Napi::Value Other(Napi::Env env, PyObject* object) {
  return WrapObject(env, Reference::Share(object));
}

/// Converts an int. One that is out of range stays out of range, for core to refuse.
Napi::Value PlainInteger(Napi::Env env, PyObject* object) {
  int overflow = 0;
  const long long integer = Py().PyLong_AsLongLongAndOverflow(object, &overflow);
  if (overflow == 0) return Integer(env, integer);
  const unsigned long long address = Py().PyLong_AsUnsignedLongLong(object);
  if (Py().PyErr_Occurred() == nullptr) return Address(env, address);
  Py().PyErr_Clear();
  constexpr std::uint64_t words[] = {0, 1};  // 2^64, which is out of range too
  return Napi::BigInt::New(env, overflow < 0 ? 1 : 0, 2, words);
}

/// How far a walk through lists may still go: levels, and items in all.
struct Walk {
  int depth = kMostDepth;
  Py_ssize_t items = kMostInAll;
};

Napi::Value Plain(Napi::Env env, PyObject* object, Walk& walk);

/// Converts a list. One that is too long, too deep, or one too many is no plain value.
Napi::Value PlainList(Napi::Env env, PyObject* object, Walk& walk) {
  if (walk.depth < 0) return Other(env, object);
  const Sequence sequence(object, std::min(kMostItems, walk.items));
  if (!sequence.is_valid()) {
    if (Py().PyErr_Occurred() != nullptr) ThrowPending(env);
    return Other(env, object);
  }
  const Py_ssize_t size = sequence.size();
  walk.items -= size;
  --walk.depth;
  auto list = Napi::Array::New(env, static_cast<std::size_t>(size));
  for (Py_ssize_t i = 0; i < size; ++i) {
    const Napi::HandleScope scope(env);
    list[static_cast<std::uint32_t>(i)] = Plain(env, sequence.At(i), walk);
  }
  ++walk.depth;
  return list;
}

Napi::Value PlainText(Napi::Env env, PyObject* object) {
  const auto text = Utf8In(object);
  if (text) return Napi::String::New(env, text->data(), text->size());
  return Other(env, object);  // a lone surrogate, which no reader accepts
}

Napi::Value Plain(Napi::Env env, PyObject* object, Walk& walk) {
  if (object == Py().None) return env.Null();
  const unsigned long flags = FlagsOf(object);
  if ((flags & kStrFlag) != 0) return PlainText(env, object);
  if ((flags & (kTupleFlag | kListFlag)) != 0) return PlainList(env, object, walk);
  const bool is_true = object == Py().True;
  if (is_true || object == Py().False) return Napi::Boolean::New(env, is_true);
  if ((flags & kIntFlag) != 0) return PlainInteger(env, object);
  if (Py().PyIndex_Check(object) == 0) return Other(env, object);
  const auto integer = Checked(env, Py().PyNumber_Index(object));
  return PlainInteger(env, integer.get());
}

}  // namespace

Napi::Value PlainValue(Napi::Env env, PyObject* object) {
  Walk walk;
  return Plain(env, object, walk);
}

Napi::Value Address(Napi::Env env, std::uint64_t address) {
  return Napi::BigInt::New(env, address);
}

Napi::Value KeepObject(Napi::Env env, PyObject* object) {
  auto hold = std::make_unique<Hold>(Reference::Share(object));
  auto kept = Napi::External<Hold>::New(env, hold.get(),
                                        [](Napi::BasicEnv, Hold* dropped) { delete dropped; });
  // Released only now, since making the object fails in a worker that is ending.
  [[maybe_unused]] const Hold* const given = hold.release();
  return kept;
}

}  // namespace array_interface
