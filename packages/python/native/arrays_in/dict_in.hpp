#pragma once

#include "arrays_in/layout.hpp"
#include "arrays_in/plain_dict.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// Makes an object with one interface's attribute, for core, from an OwnCopy of a Python object's
/// dict. It keeps the Python object. None becomes null, tuples become lists, and `stream: None`
/// becomes the legacy default stream. A `syclobj` that is an object becomes the separate PyObject
/// `place`. If `data` is a buffer, `start` and `byteLength` are the range that must contain the
/// layout. Throws PythonError. The thread must be attached.
Napi::Object Produced(Napi::Env env, PyObject* object, PyObject* dict, Protocol protocol,
                      int depth = 0);

/// The same for memory of this process, which `owner` keeps.
Napi::Object ProducedOnHost(Napi::Env env, const Layout& layout, Reference owner);

}  // namespace array_interface
