#include "objects/object.hpp"

#include <memory>
#include <utility>

#include "calls/parked_drops.hpp"
#include "interpreter/entry.hpp"
#include "interpreter/interpreter.hpp"
#include "napi/exports.hpp"
#include "napi/failure.hpp"
#include "objects/call.hpp"
#include "objects/modules.hpp"
#include "objects/wrapped.hpp"
#include "values/error.hpp"
#include "values/kind.hpp"
#include "values/names.hpp"
#include "values/shown.hpp"
#include "values/text.hpp"
#include "values/values.hpp"

namespace array_interface {

namespace {

Napi::Value Get(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  const Reference name = NameToPython(info[1]);
  const Reference value = Checked(info.Env(), Py().PyObject_GetAttr(self.get(), name.get()));
  return ToJavaScript(info.Env(), value.get());
}

void Set(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  const Reference name = NameToPython(info[1]);
  const Reference value = ToPython(info[2], ValuePath("value"));
  if (Py().PyObject_SetAttr(self.get(), name.get(), value.get()) != 0) ThrowPending(info.Env());
}

Napi::Value Has(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const EnteredObject self(info[0]);
  const Reference name = NameToPython(info[1]);
  const auto value = IfPresent(env, Py().PyObject_GetAttr(self.get(), name.get()));
  return Napi::Boolean::New(env, static_cast<bool>(value));
}

Napi::Value Item(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  const Reference key = ToPythonKey(info[1], ValuePath("key"));
  const Reference value = Checked(info.Env(), Py().PyObject_GetItem(self.get(), key.get()));
  return ToJavaScript(info.Env(), value.get());
}

void SetItem(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  const Reference key = ToPythonKey(info[1], ValuePath("key"));
  const Reference value = ToPython(info[2], ValuePath("value"));
  if (Py().PyObject_SetItem(self.get(), key.get(), value.get()) != 0) ThrowPending(info.Env());
}

Napi::Value Length(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  const Py_ssize_t length = Py().PyObject_Size(self.get());
  if (length < 0) ThrowPending(info.Env());
  return Napi::Number::New(info.Env(), static_cast<double>(length));
}

Napi::Value Iterate(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  return WrapObject(info.Env(), Checked(info.Env(), Py().PyObject_GetIter(self.get())));
}

/// Returns the next value of an iterator. After the last it returns undefined, which no value is.
Napi::Value Next(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const EnteredObject self(info[0]);
  if (Py().PyIter_Check(self.get()) == 0) {
    Throw(env, {"ERR_TYPE", "",
                "expected an iterator, got an object of the class " + ClassName(self.get()) +
                    "; pass what iterate returned",
                "", 0, ""});
  }
  const auto value = Reference::Take(Py().PyIter_Next(self.get()));
  if (value) return ToJavaScript(env, value.get());
  if (Py().PyErr_Occurred() != nullptr) ThrowPending(env);
  return env.Undefined();
}

Napi::Value ToWhole(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  return ToJavaScript(info.Env(), self.get(), Depth::kWhole);
}

template <PyObject* (*Api::*Function)(PyObject*)>
Napi::Value Text(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  const Reference text = Checked(info.Env(), (Py().*Function)(self.get()));
  return TextToJavaScript(info.Env(), text.get());
}

Napi::Value Is(const Napi::CallbackInfo& info) {
  const auto one = NeedObject(info[0]);
  const auto other = UnwrapObject(info[1]);
  return Napi::Boolean::New(info.Env(), other != nullptr && one->object() == other->object());
}

void Dispose(const Napi::CallbackInfo& info) {
  if (DropObject(info[0])) const Entry entry(info.Env());  // which drops released references
}

/// teach(PyObject, PythonError, builders): registers what exists only in TypeScript.
void Teach(const Napi::CallbackInfo& info) {
  const auto need = [](const Napi::Value& value, const char* name) {
    if (value.IsFunction()) return value.As<Napi::Function>();
    Throw(value.Env(),
          {"ERR_TYPE", name,
           "expected a function, got " + Shown(value) + "; pass this package's own", "", 0, ""});
  };
  const auto builder = [&](const char* name) {
    return Napi::Persistent(need(info[2].ToObject().Get(name), name));
  };
  // All are read before any is kept: what was taught before stays if one is wrong.
  std::unique_ptr<Taught> taught(
      new Taught{Napi::Persistent(need(info[0], "objects")),
                 Napi::Persistent(need(info[1], "errors")), builder("entriesOf"),
                 builder("objectOf"), builder("mapOf"), builder("setOf"), builder("bytesOf")});
  PythonAddon& addon = PythonAddon::Of(info.Env());
  const RunningPython* const python = ThePython();
  const bool is_free = python != nullptr && python->is_free_threaded();
  if (is_free && !addon.taught) RunParkedDrops(info.Env());
  addon.taught = std::move(taught);
}

}  // namespace

void ExportObject(Napi::Object exports) {
  AddExports(exports, {{"teach", kFunction<Teach>},
                       {"get", kFunction<Get>},
                       {"set", kFunction<Set>},
                       {"has", kFunction<Has>},
                       {"item", kFunction<Item>},
                       {"setItem", kFunction<SetItem>},
                       {"length", kFunction<Length>},
                       {"iterate", kFunction<Iterate>},
                       {"next", kFunction<Next>},
                       {"toWhole", kFunction<ToWhole>},
                       {"str", kFunction<Text<&Api::PyObject_Str>>},
                       {"repr", kFunction<Text<&Api::PyObject_Repr>>},
                       {"is", kFunction<Is>},
                       {"dispose", kFunction<Dispose>}});
  ExportCall(exports);
  ExportModules(exports);
}

}  // namespace array_interface
