#include "values/elements.hpp"

#include <cstdint>
#include <string>

#include "napi/failure.hpp"
#include "values/values.hpp"

namespace array_interface {

void CheckOk(Napi::Env env, napi_status status) {
  if (status != napi_ok) throw Napi::Error::New(env);
}

std::vector<napi_value> ElementsOf(Napi::Env env, napi_value array, const ValuePath& place) {
  std::uint32_t length = 0;
  CheckOk(env, napi_get_array_length(env, array, &length));
  if (length > kMostElements) {
    Throw(env, {"ERR_OVERFLOW", place.Text(env),
                "expected at most " + std::to_string(kMostElements) + " elements, got " +
                    std::to_string(length) + "; pass them in parts, or numbers in a typed array",
                "", 0, ""});
  }
  std::vector<napi_value> elements(length);
  for (std::uint32_t i = 0; i < length; i++) {
    CheckOk(env, napi_get_element(env, array, i, &elements[i]));
  }
  return elements;
}

Napi::Value BuildDistinct(Napi::Env env, Napi::FunctionReference Taught::*function,
                          const std::initializer_list<napi_value>& arguments,
                          const ValuePath& place) {
  const Napi::Value built = CallPaused(env, function, arguments);
  if (!built.IsUndefined()) return built;
  Refuse(env, place,
         "expected keys that JavaScript tells apart, got some that are one there, as NaN and NaN "
         "are; iterate over items()");
}

}  // namespace array_interface
