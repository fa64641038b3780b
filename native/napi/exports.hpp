#pragma once

#include <initializer_list>

#include "napi/guarded.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// A function of an addon: its name in JavaScript, and what makes it.
struct Export {
  const char* name;
  Napi::Function (*make)(Napi::Env env, const char* name);
};

/// Makes a function that calls `Callback`.
template <auto Callback>
Napi::Function MakeFunction(Napi::Env env, const char* name) {
  return Napi::Function::New<Callback>(env, name);
}

/// Makes a function that calls a guarded binding. A backend that throws errors of its own has a
/// guard, and such a function, of its own.
template <auto Binding>
constexpr auto kFunction = &MakeFunction<Guarded<Binding>>;

/// Adds functions to an addon's exports.
inline void AddExports(Napi::Object exports, std::initializer_list<Export> functions) {
  for (const auto& [name, make] : functions) exports[name] = make(exports.Env(), name);
}

}  // namespace array_interface
