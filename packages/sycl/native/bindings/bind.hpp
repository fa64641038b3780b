#pragma once

#include <exception>

#include "driver/sycl_error.hpp"
#include "napi/exports.hpp"
#include "napi/failure.hpp"
#include "napi/guarded.hpp"
#include "napi/setup.hpp"

namespace array_interface::sycl {

/// Turns every C++ exception into a JavaScript error.
template <Napi::Value (*Function)(const Napi::CallbackInfo&)>
Napi::Value Safely(const Napi::CallbackInfo& info) {
  try {
    return array_interface::Guarded<Function>(info);
  } catch (const Napi::Error&) {
    throw;
  } catch (const SyclError& error) {
    Throw(info.Env(), error.failure());
  } catch (const std::exception& error) {
    Throw(info.Env(), {"ERR_ARGUMENT", "", error.what(), "", 0, ""});
  }
}

/// Makes a function that calls a guarded binding.
template <Napi::Value (*Function)(const Napi::CallbackInfo&)>
constexpr auto kFunction = &MakeFunction<Safely<Function>>;

void BindRuntime(Napi::Object exports);
void BindQueue(Napi::Object exports);
void BindEvent(Napi::Object exports);
void BindMemory(Napi::Object exports);
void BindStaging(Napi::Object exports);
void BindMapBuffer(Napi::Object exports);
void BindKernel(Napi::Object exports);
void BindCapsule(Napi::Object exports);
void BindShare(Napi::Object exports);

}  // namespace array_interface::sycl
