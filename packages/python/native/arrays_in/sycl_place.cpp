#include "arrays_in/sycl_place.hpp"

#include <utility>

#include "arrays_in/plain_dict.hpp"
#include "arrays_in/plain_value.hpp"
#include "interpreter/entry.hpp"
#include "objects/object.hpp"
#include "objects/wrapped.hpp"
#include "values/error.hpp"
#include "values/kind.hpp"

namespace array_interface {

namespace {

/// {name, pointer, hold} of a capsule. Empty if the object is no capsule.
Napi::Value CapsuleIn(Napi::Env env, PyObject* object) {
  const char* name = Py().PyCapsule_GetName(object);
  if (name == nullptr && Py().PyErr_Occurred() != nullptr) {
    Py().PyErr_Clear();
    return {};
  }
  void* const pointer = Py().PyCapsule_GetPointer(object, name);
  if (pointer == nullptr) ThrowPending(env);
  auto made = Napi::Object::New(env);
  made["name"] = name == nullptr ? "" : name;
  made["pointer"] = Address(env, reinterpret_cast<std::uintptr_t>(pointer));
  made["hold"] = KeepObject(env, object);
  return made;
}

}  // namespace

SyclPlace PlaceIn(Napi::Env env, PyObject* dict) {
  SyclPlace place;
  auto capsule = Reference::Share(EntryOf(dict, TheNames().syclobj));
  if (!capsule) return place;
  const auto method = Reference::Take(Py().PyObject_GetAttrString(capsule.get(), "_get_capsule"));
  if (method) {
    capsule = Checked(env, Py().PyObject_CallNoArgs(method.get()));
  }
  Py().PyErr_Clear();
  for (const char* name : {"SyclQueueRef", "SyclContextRef"}) {
    if (Py().PyCapsule_IsValid(capsule.get(), name) == 0) continue;
    place.name = name;
    place.pointer = Py().PyCapsule_GetPointer(capsule.get(), name);
    place.capsule = std::move(capsule);
    return place;
  }
  return place;
}

void SetPlace(Napi::Env env, PyObject* dict, Napi::Object plain, Napi::Object made) {
  PyObject* const place = Py().PyDict_GetItemWithError(dict, TheNames().syclobj);
  Py().PyErr_Clear();
  if (place == nullptr) return;
  if (place == Py().None || HasFlag(place, kStrFlag)) {
    plain["syclobj"] = PlainValue(env, place);
    return;
  }
  Napi::Value capsule = CapsuleIn(env, place);
  if (!capsule.IsEmpty()) {
    plain["syclobj"] = capsule;
    return;
  }
  // not PyObject_HasAttrString, which reports what a getter raises
  const auto method = Reference::Take(Py().PyObject_GetAttrString(place, "_get_capsule"));
  if (!method) Py().PyErr_Clear();
  const Napi::Value object = WrapObject(env, Reference::Share(place));
  if (method) {
    made["place"] = object;
  } else {
    plain["syclobj"] = object;
  }
}

Napi::Value SyclCapsule(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const EnteredObject place(info[0]);
  const auto given = Checked(env, Py().PyObject_CallMethod(place.get(), "_get_capsule", nullptr));
  const Napi::Value capsule = CapsuleIn(env, given.get());
  return capsule.IsEmpty() ? WrapObject(env, Reference::Share(given.get())) : capsule;
}

}  // namespace array_interface
