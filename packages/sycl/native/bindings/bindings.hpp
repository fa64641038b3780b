#pragma once

#include "bindings/backend.hpp"
#include "device/guarded.hpp"
#include "napi/object.hpp"
#include "napi/setup.hpp"

namespace array_interface::sycl {

/// Makes a function that calls a guarded binding.
template <Napi::Value (*Binding)(const Napi::CallbackInfo&)>
constexpr auto kFunction = kDeviceFunction<SyclBackend, Binding>;

/// Each adds the functions of the file that it is named after to the addon's exports. src/addon.ts
/// documents their parameters and results.
void BindRuntime(Napi::Object exports);
void BindQueue(Napi::Object exports);
void BindEvent(Napi::Object exports);
void BindMemory(Napi::Object exports);

}  // namespace array_interface::sycl
