#pragma once

#include <initializer_list>

#include "napi/guarded.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// A function of an addon, by its name in JavaScript.
struct Export {
  const char* name;
  Napi::Function (*make)(Napi::Env env, const char* name);
};

/// Makes the function that calls a binding; see Guarded.
template <auto Binding>
Napi::Function Bound(Napi::Env env, const char* name) {
  return Napi::Function::New<Guarded<Binding>>(env, name);
}

/// Adds functions to the exports.
inline void AddExports(Napi::Object exports, std::initializer_list<Export> functions) {
  for (const auto& [name, make] : functions) exports[name] = make(exports.Env(), name);
}

}  // namespace array_interface
