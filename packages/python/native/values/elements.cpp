#include "values/elements.hpp"

#include <cstdint>

namespace array_interface {

void CheckOk(Napi::Env env, napi_status status) {
  if (status != napi_ok) throw Napi::Error::New(env);
}

std::vector<napi_value> ElementsOf(Napi::Env env, napi_value array) {
  std::uint32_t length = 0;
  CheckOk(env, napi_get_array_length(env, array, &length));
  std::vector<napi_value> elements(length);
  for (std::uint32_t i = 0; i < length; i++) {
    CheckOk(env, napi_get_element(env, array, i, &elements[i]));
  }
  return elements;
}

}  // namespace array_interface
