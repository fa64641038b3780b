#pragma once

#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <variant>

#include "napi/setup.hpp"

namespace array_interface {

/// A property of an object for JavaScript. Its value is a number or an enumerator, a boolean, text
/// that lives until the object is made, or a value of JavaScript.
class Property {
 public:
  template <class Value>
  Property(const char* name, const Value& value) : name_(name) {
    constexpr bool is_number = std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>;
    if constexpr (is_number || std::is_enum_v<Value>) {
      value_ = static_cast<double>(value);
    } else if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
      value_ = std::string_view(value);  // older compilers make a boolean of a pointer
    } else {
      value_ = value;
    }
  }

  void Set(Napi::Object object) const {
    std::visit([&](const auto& value) { object[name_] = ValueOf(object.Env(), value); }, value_);
  }

 private:
  template <class Value>
  static Napi::Value ValueOf(Napi::Env env, const Value& value) {
    return Napi::Value::From(env, value);
  }
  static Napi::Value ValueOf(Napi::Env env, std::string_view text) {
    return Napi::String::New(env, text.data(), text.size());
  }

  const char* name_;
  std::variant<double, bool, std::string_view, Napi::Value> value_;
};

/// Makes an object with these properties.
inline Napi::Object MakeObject(Napi::Env env, std::initializer_list<Property> properties) {
  auto object = Napi::Object::New(env);
  for (const Property& property : properties) property.Set(object);
  return object;
}

}  // namespace array_interface
