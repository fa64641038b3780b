// An addon for tests that calls the driver as another library in the process would.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "driver/abi.hpp"
#include "library/library.hpp"
#include "napi/setup.hpp"

namespace array_interface::cuda {

namespace {

/// A driver function by its exported name.
template <class... Parameters>
void Call(Napi::Env env, const char* symbol, Parameters... arguments) {
  const char* named = std::getenv("ARRAY_INTERFACE_LIBCUDA");
  std::vector<Attempt> attempts;
  const auto library = Library::Open({named != nullptr ? named : "libcuda.so.1"}, attempts);
  void* function = library == nullptr ? nullptr : library->Symbol(symbol);
  if (function == nullptr) throw Napi::Error::New(env, std::string("no ") + symbol);
  const Result result = reinterpret_cast<Result (*)(Parameters...)>(function)(arguments...);
  if (result != kSuccess) {
    throw Napi::Error::New(env, std::string(symbol) + ": " + std::to_string(result));
  }
}

Napi::Value CurrentContext(const Napi::CallbackInfo& info) {
  ContextHandle context = nullptr;
  Call(info.Env(), "cuCtxGetCurrent", &context);
  return Napi::BigInt::New(info.Env(), reinterpret_cast<std::uint64_t>(context));
}

Napi::Value MakeCurrent(const Napi::CallbackInfo& info) {
  ContextHandle context = nullptr;
  Call(info.Env(), "cuDevicePrimaryCtxRetain", &context,
       static_cast<DeviceNumber>(info[0].ToNumber().Int32Value()));
  Call(info.Env(), "cuCtxSetCurrent", context);
  return info.Env().Undefined();
}

Napi::Object Start(Napi::Env env, Napi::Object exports) {
  exports.Set("currentContext", Napi::Function::New<CurrentContext>(env, "currentContext"));
  exports.Set("makeCurrent", Napi::Function::New<MakeCurrent>(env, "makeCurrent"));
  return exports;
}

}  // namespace

NODE_API_MODULE(driver_probe, Start)

}  // namespace array_interface::cuda
