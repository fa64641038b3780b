#include "bindings/addon.hpp"
#include "bindings/bindings.hpp"
#include "device/bindings.hpp"

namespace array_interface::cuda {

namespace {

Napi::Object Start(Napi::Env, Napi::Object exports) {
  AddExports(exports, {{"initialize", &MakeFunction<Initialize<CudaAddon>>}});
  BindDevice<CudaBackend>(exports);
  for (const auto bind :
       {BindDriver, BindRegistration, BindPointer, BindPool, BindSharing, BindStream}) {
    bind(exports);
  }
  return exports;
}

}  // namespace

NODE_API_MODULE(cuda, Start)

}  // namespace array_interface::cuda
