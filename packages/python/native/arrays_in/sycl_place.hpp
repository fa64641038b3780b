#pragma once

#include <string>

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// A capsule of the queue or context that a SYCL dict names, and what is in it. The name is empty,
/// and the reference too, where the dict names none or in another way.
struct SyclPlace {
  std::string name;  ///< SyclQueueRef or SyclContextRef
  void* pointer = nullptr;
  Reference capsule;
};

/// Asks a dict that is our own for it. Throws PythonError. The thread is attached.
SyclPlace PlaceIn(Napi::Env env, PyObject* dict);

/// Sets `syclobj` of a dict for core: text and capsules as they are. A queue or context becomes
/// `place` of the object that has the dict, as a PyObject.
void SetPlace(Napi::Env env, PyObject* dict, Napi::Object plain, Napi::Object made);

/// syclCapsule(object): {name, pointer, hold} of a new capsule of a queue or context.
Napi::Value SyclCapsule(const Napi::CallbackInfo& info);

}  // namespace array_interface
