#pragma once

#include <initializer_list>
#include <vector>

#include "interpreter/entry.hpp"
#include "napi/setup.hpp"
#include "values/place.hpp"

namespace array_interface {

/// Throws the JavaScript exception that made a function of Node-API fail.
void CheckOk(Napi::Env env, napi_status status);

/// The entries of a JavaScript array. The thread must be detached if some may be getters. Throws
/// ERR_OVERFLOW, which names `place`, for more than kMostElements.
std::vector<napi_value> ElementsOf(Napi::Env env, napi_value array,
                                   const ValuePath& place = ValuePath());

/// Builds an object or a Map by a function of TypeScript's, from an attached JavaScript thread.
/// Throws ERR_TYPE, which names `place`, if keys that Python tells apart are one in JavaScript.
Napi::Value BuildDistinct(Napi::Env env, Napi::FunctionReference Taught::*function,
                          const std::initializer_list<napi_value>& arguments,
                          const ValuePath& place);

}  // namespace array_interface
