#include <memory>

#include "bindings/addon.hpp"
#include "bindings/bindings.hpp"
#include "library/library.hpp"

namespace array_interface::cuda {

namespace {

/// initialize(ArrayInterfaceError): called once per environment; later calls change nothing.
Napi::Value Initialize(const Napi::CallbackInfo& info) {
  if (info.Length() < 1 || !info[0].IsFunction()) {
    throw Napi::TypeError::New(info.Env(), "expected the class ArrayInterfaceError");
  }
  if (info.Env().GetInstanceData<Addon>() == nullptr) {
    StayLoaded();
    Addon::Install(info.Env(),
                   std::make_unique<CudaAddon>(info.Env(), info[0].As<Napi::Function>()));
  }
  return info.Env().Undefined();
}

Napi::Object Start(Napi::Env, Napi::Object exports) {
  AddExports(exports, {{"initialize", &MakeFunction<Initialize>}});
  for (const auto bind :
       {BindDriver, BindMemory, BindBorrow, BindMapBuffer, BindRegistration, BindPointer, BindPool,
        BindSharing, BindStream, BindEvent, BindCopy, BindKernel, BindExternalWork, BindCapsule}) {
    bind(exports);
  }
  return exports;
}

}  // namespace

NODE_API_MODULE(cuda, Start)

}  // namespace array_interface::cuda
