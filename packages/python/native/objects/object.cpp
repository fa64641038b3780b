#include "objects/object.hpp"

#include <memory>
#include <utility>

#include "calls/parked_drops.hpp"
#include "copies/copy.hpp"
#include "interpreter/entry.hpp"
#include "interpreter/interpreter.hpp"
#include "napi/exports.hpp"
#include "napi/failure.hpp"
#include "objects/call.hpp"
#include "objects/constructors.hpp"
#include "objects/items.hpp"
#include "objects/modules.hpp"
#include "objects/primitive.hpp"
#include "objects/wrapped.hpp"
#include "values/error.hpp"
#include "values/kind.hpp"
#include "values/names.hpp"
#include "values/shown.hpp"
#include "values/text.hpp"
#include "values/values.hpp"

namespace array_interface {

namespace {

template <Giver Give>
Napi::Value Get(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  const Reference name = NameToPython(info[1]);
  const Reference value = Checked(info.Env(), Py().PyObject_GetAttr(self.get(), name.get()));
  return Give(info.Env(), value.get());
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

void Delete(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  const Reference name = NameToPython(info[1]);
  if (Py().PyObject_SetAttr(self.get(), name.get(), nullptr) != 0) ThrowPending(info.Env());
}

Napi::Value Length(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  const Py_ssize_t length = Py().PyObject_Size(self.get());
  if (length < 0) ThrowPending(info.Env());
  return Napi::Number::New(info.Env(), static_cast<double>(length));
}

Napi::Value IsTrue(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  const int is_true = Py().PyObject_IsTrue(self.get());
  if (is_true < 0) ThrowPending(info.Env());
  return Napi::Boolean::New(info.Env(), is_true == 1);
}

Napi::Value Iterate(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  return WrapObject(info.Env(), Checked(info.Env(), Py().PyObject_GetIter(self.get())));
}

/// Returns the next value of an iterator. After the last it returns undefined, which no value is.
template <Giver Give>
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
  if (value) return Give(env, value.get());
  if (Py().PyErr_Occurred() != nullptr) ThrowPending(env);
  return env.Undefined();
}

/// toJS(object, depth, maps): a depth that is no number is unlimited.
Napi::Value ToJS(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  CopyOptions options{kAllLevels};
  if (info[1].IsNumber()) options.depth = info[1].ToNumber().Uint32Value();
  options.always_maps = info[2].ToBoolean();
  return CopyToJavaScript(info.Env(), self.get(), options);
}

Napi::Value ToJson(const Napi::CallbackInfo& info) {
  const EnteredObject self(info[0]);
  CopyOptions options{kAllLevels};
  options.is_json = true;
  return CopyToJavaScript(info.Env(), self.get(), options);
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
  std::unique_ptr<Taught> taught(new Taught{
      Napi::Persistent(need(info[0], "objects")), Napi::Persistent(need(info[1], "errors")),
      builder("entriesOf"), builder("calleeOf"), builder("objectOf"), builder("mapOf"),
      builder("setOf"), builder("bytesOf"), builder("holdBuffer"), builder("resizable"),
      info[2].ToObject().Get("isMainThread").ToBoolean()});
  PythonAddon& addon = PythonAddon::Of(info.Env());
  const RunningPython* const python = ThePython();
  const bool is_free = python != nullptr && python->is_free_threaded();
  if (is_free && !addon.taught) RunParkedDrops(info.Env());
  addon.taught = std::move(taught);
}

}  // namespace

void ExportObject(Napi::Object exports) {
  AddExports(exports, {{"teach", kFunction<Teach>},
                       {"get", kFunction<Get<ToJavaScript>>},
                       {"rawGet", kFunction<Get<Wrapped>>},
                       {"set", kFunction<Set>},
                       {"has", kFunction<Has>},
                       {"delete", kFunction<Delete>},
                       {"length", kFunction<Length>},
                       {"isTrue", kFunction<IsTrue>},
                       {"iterate", kFunction<Iterate>},
                       {"next", kFunction<Next<ToJavaScript>>},
                       {"rawNext", kFunction<Next<Wrapped>>},
                       {"toJS", kFunction<ToJS>},
                       {"toJson", kFunction<ToJson>},
                       {"str", kFunction<Text<&Api::PyObject_Str>>},
                       {"repr", kFunction<Text<&Api::PyObject_Repr>>},
                       {"is", kFunction<Is>},
                       {"dispose", kFunction<Dispose>}});
  ExportCall(exports);
  ExportConstructors(exports);
  ExportItems(exports);
  ExportPrimitive(exports);
  ExportModules(exports);
}

}  // namespace array_interface
