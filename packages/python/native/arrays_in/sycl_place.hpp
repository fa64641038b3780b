#pragma once

#include <string>

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// A capsule of the queue or context that a SYCL dict names, and its contents. The name and the
/// reference are empty if the dict has none, or names it in another way.
struct SyclPlace {
  std::string name;  ///< SyclQueueRef or SyclContextRef
  void* pointer = nullptr;
  Reference capsule;
};

/// Reads it from a dict that only this addon refers to. Throws PythonError. The thread must be
/// attached.
SyclPlace PlaceIn(Napi::Env env, PyObject* dict);

/// Sets `syclobj` of a dict for core. Text and capsules stay as they are. A queue or context
/// becomes `place`, a PyObject, of the object that has the dict.
void SetPlace(Napi::Env env, PyObject* dict, Napi::Object plain, Napi::Object made);

/// syclCapsule(object): returns {name, pointer, hold} of a new capsule of a queue or context.
Napi::Value SyclCapsule(const Napi::CallbackInfo& info);

}  // namespace array_interface
