#include "planted.hpp"

#include <node_api.h>

#include <utility>

namespace {

napi_value number(napi_env env, int value) {
  napi_value result = nullptr;
  napi_create_int32(env, value, &result);
  return result;
}

napi_value overflow(napi_env env, napi_callback_info) { return number(env, planted::overflow()); }

napi_value undefined(napi_env env, napi_callback_info) { return number(env, planted::undefined()); }

napi_value race(napi_env env, napi_callback_info) { return number(env, planted::race()); }

/// Forgets an allocation.
napi_value leak(napi_env env, napi_callback_info) {
  volatile char* forgotten = new char[5000];
  forgotten[0] = 1;
  return number(env, forgotten[0]);
}

}  // namespace

NAPI_MODULE_INIT() {
  for (const auto& [name, function] : {std::pair<const char*, napi_callback>{"overflow", overflow},
                                       {"undefined", undefined},
                                       {"leak", leak},
                                       {"race", race}}) {
    napi_value value = nullptr;
    napi_create_function(env, name, NAPI_AUTO_LENGTH, function, nullptr, &value);
    napi_set_named_property(env, exports, name, value);
  }
  return exports;
}
