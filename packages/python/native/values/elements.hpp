#pragma once

#include <vector>

#include "napi/setup.hpp"
#include "values/place.hpp"

namespace array_interface {

/// Throws the JavaScript exception that made a function of Node-API fail.
void CheckOk(Napi::Env env, napi_status status);

/// The entries of a JavaScript array. The thread must be detached if some may be getters. Throws
/// ERR_OVERFLOW, which names `place`, for more than kMostElements.
std::vector<napi_value> ElementsOf(Napi::Env env, napi_value array,
                                   const ValuePath& place = ValuePath());

}  // namespace array_interface
