#pragma once

#include "arrays_in/held_array.hpp"
#include "arrays_in/plain_dict.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// The attribute under which objects expose an interface.
const char* AttributeOf(Protocol protocol);

/// An object with one interface's attribute, for core, from OwnCopy of the dict that a Python
/// object gave. It holds that object. None is null, tuples are lists, and `stream: None` is the
/// legacy default stream. A `syclobj` that is an object stands apart, as the PyObject `place`;
/// `start` and `byteLength` name the buffer that the layout has to lie in, where `data` is one.
/// Throws PythonError. The thread is attached.
Napi::Object Produced(Napi::Env env, PyObject* object, PyObject* dict, Protocol protocol,
                      int depth = 0);

/// The same for memory of this process, which `owner` holds.
Napi::Object ProducedOnHost(Napi::Env env, const Layout& layout, Reference owner);

}  // namespace array_interface
