#include <cstring>

#include "interpreter/entry.hpp"
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

Napi::Uint8Array NewBytes(Napi::Env env, Py_ssize_t size) {
  if (size < kLarge) return Napi::Uint8Array::New(env, static_cast<std::size_t>(size));
  const Napi::Value length = Napi::Number::New(env, static_cast<double>(size));
  return CallPaused(env, &Taught::bytes_of, {length}).As<Napi::Uint8Array>();
}

}  // namespace

Napi::Value BytesToJavaScript(Napi::Env env, PyObject* bytes) {
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (Py().PyBytes_AsStringAndSize(bytes, &data, &size) != 0) ThrowPending(env);
  Napi::Uint8Array array = NewBytes(env, size);
  if (size > 0) std::memcpy(array.Data(), data, static_cast<std::size_t>(size));
  return array;
}

Napi::Value PlainToJavaScript(Napi::Env env, PyObject* object, Kind kind) {
  if (object == Py().None) return env.Null();
  if (object == Py().True) return Napi::Boolean::New(env, true);
  if (object == Py().False) return Napi::Boolean::New(env, false);
  switch (kind) {
    case Kind::kBool:
      return Napi::Boolean::New(env, Py().PyObject_IsTrue(object) == 1);
    case Kind::kInt:
      return IntegerToJavaScript(env, object);
    case Kind::kFloat:
      return Napi::Number::New(env, Py().PyFloat_AsDouble(object));
    case Kind::kStr:
      return TextToJavaScript(env, object);
    case Kind::kBytes:
      return BytesToJavaScript(env, object);
    default:
      return {};
  }
}

Napi::Value ToJavaScript(Napi::Env env, PyObject* object) {
  const Napi::Value plain = PlainToJavaScript(env, object, KindOf(object));
  return plain.IsEmpty() ? WrapObject(env, Reference::Share(object)) : plain;
}

}  // namespace array_interface
