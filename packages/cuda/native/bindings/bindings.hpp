#pragma once

#include "bindings/backend.hpp"
#include "device/guarded.hpp"
#include "napi/object.hpp"
#include "napi/setup.hpp"

namespace array_interface::cuda {

/// Makes a function that calls a guarded binding.
template <Napi::Value (*Binding)(const Napi::CallbackInfo&)>
constexpr auto kFunction = kDeviceFunction<CudaBackend, Binding>;

/// Each adds the functions of the file that it is named after to the addon's exports. src/addon.ts
/// documents their parameters and results.
void BindDriver(Napi::Object exports);
void BindRegistration(Napi::Object exports);
void BindPointer(Napi::Object exports);
void BindPool(Napi::Object exports);
void BindSharing(Napi::Object exports);
void BindStream(Napi::Object exports);

}  // namespace array_interface::cuda
