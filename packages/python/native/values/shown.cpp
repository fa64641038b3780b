#include "values/shown.hpp"

#include <array>
#include <cstddef>

namespace array_interface {

namespace {

/// Maximum of UTF-16 units of a text that are shown.
constexpr std::size_t kMost = 40;

bool IsFirstHalf(char16_t unit) { return unit >= 0xd800 && unit < 0xdc00; }

std::string Text(const Napi::Value& text) {
  std::array<char16_t, kMost + 2> units;  // one extra unit shows that the text is longer
  std::size_t length = 0;
  napi_get_value_string_utf16(text.Env(), text, units.data(), units.size(), &length);
  const bool is_whole = length <= kMost;
  if (!is_whole) length = IsFirstHalf(units[kMost - 1]) ? kMost - 1 : kMost;
  const auto start = Napi::String::New(text.Env(), units.data(), length);
  return "\"" + start.Utf8Value() + (is_whole ? "\"" : "…\"");
}

std::string Object(const Napi::Value& object) {
  if (object.IsArray()) return "a list";
  if (object.IsPromise()) return "a promise";
  return "an object";
}

}  // namespace

std::string Shown(const Napi::Value& value) {
  switch (value.Type()) {
    case napi_undefined:
      return "nothing";
    case napi_null:
      return "null";
    case napi_boolean:
      return value.As<Napi::Boolean>().Value() ? "true" : "false";
    case napi_number:
      return value.ToString().Utf8Value();
    case napi_string:
      return Text(value);
    case napi_object:
      return Object(value);
    case napi_bigint:
      return "a bigint";
    case napi_symbol:
      return "a symbol";
    case napi_function:
      return "a function";
    default:
      return "a native handle";
  }
}

}  // namespace array_interface
