#pragma once

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"
#include "values/place.hpp"

namespace array_interface {

/// A memoryview of a typed array, a DataView or an ArrayBuffer: over the same memory, and in a
/// worker, whose memory ends with it, of a copy that is read-only. Null for another value. Throws
/// ERR_DISPOSED for a detached buffer, ERR_NOT_ACCESSIBLE for a resizable one, PythonError. The
/// thread must be attached; runs no JavaScript.
Reference LendToPython(Napi::Env env, napi_value value, const ValuePath& place);

}  // namespace array_interface
