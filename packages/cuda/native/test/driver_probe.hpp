#pragma once

#include <cstdint>
#include <string>

#include "driver/abi.hpp"
#include "napi/setup.hpp"

// What the parts of the probe share. All need a current context if the driver does.

namespace array_interface::cuda {

/// An exported function of the driver; null if it has none of that name.
void* Symbol(const char* symbol);

/// While there is one, calls of this thread do not fail as was planned for the simulator: the
/// faults are for the addon under test.
class Spared {
 public:
  Spared();
  ~Spared();
  Spared(const Spared&) = delete;
  Spared& operator=(const Spared&) = delete;
};

/// Calls a driver function by its exported name.
template <class... Parameters>
Result TryCall(Napi::Env env, const char* symbol, Parameters... arguments) {
  void* function = Symbol(symbol);
  if (function == nullptr) throw Napi::Error::New(env, std::string("no ") + symbol);
  const Spared spared;
  return reinterpret_cast<Result (*)(Parameters...)>(function)(arguments...);
}

/// The same, but every error is an exception.
template <class... Parameters>
void Call(Napi::Env env, const char* symbol, Parameters... arguments) {
  const Result result = TryCall(env, symbol, arguments...);
  if (result != kSuccess) {
    throw Napi::Error::New(env, std::string(symbol) + ": " + std::to_string(result));
  }
}

inline std::uint64_t ReadNumber(const Napi::Value& value) {
  bool lossless = false;
  return value.As<Napi::BigInt>().Uint64Value(&lossless);
}

template <class Pointer>
Pointer ReadAddress(const Napi::Value& value) {
  return reinterpret_cast<Pointer>(ReadNumber(value));
}

inline std::size_t ReadLength(const Napi::Value& value) {
  return static_cast<std::size_t>(value.ToNumber().Int64Value());
}

template <class Pointer>
Napi::Value Address(Napi::Env env, Pointer address) {
  return Napi::BigInt::New(env, reinterpret_cast<std::uint64_t>(address));
}

template <Napi::Value (*function)(const Napi::CallbackInfo&)>
void Export(Napi::Object exports, const char* name) {
  exports.Set(name, Napi::Function::New<function>(exports.Env(), name));
}

/// Exports what concerns streams and events.
void BindStreams(Napi::Object exports);

}  // namespace array_interface::cuda
