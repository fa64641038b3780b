#include "bindings/addon.hpp"
#include "bindings/bindings.hpp"
#include "device/bindings.hpp"

namespace array_interface::sycl {

namespace {

/// listen(listener): calls the listener with the code of each error that rejects no promise. Later
/// listeners of an environment are ignored.
Napi::Value Listen(const Napi::CallbackInfo& info) {
  if (!info[0].IsFunction()) {
    throw SyclError("ERR_TYPE", "listener", "expected a function, got another value");
  }
  SyclAddon::Of(info.Env()).Listen(info.Env(), info[0].As<Napi::Function>());
  return info.Env().Undefined();
}

Napi::Object Load(Napi::Object exports) {
  AddExports(exports,
             {{"initialize", &MakeFunction<Initialize<SyclAddon>>}, {"listen", kFunction<Listen>}});
  BindDevice<SyclBackend>(exports);
  for (const auto bind : {BindRuntime, BindQueue, BindEvent, BindMemory}) bind(exports);
  return exports;
}

}  // namespace

}  // namespace array_interface::sycl

static Napi::Object InitializeModule(Napi::Env /*env*/, Napi::Object exports) {
  return array_interface::sycl::Load(exports);
}

NODE_API_MODULE(sycl, InitializeModule)
