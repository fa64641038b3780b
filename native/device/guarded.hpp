#pragma once

#include <exception>

#include "napi/exports.hpp"
#include "napi/failure.hpp"
#include "napi/guarded.hpp"

namespace array_interface {

/// Wraps a binding of a backend with a device: every exception becomes an ArrayInterfaceError.
/// `Backend::FailureOf` converts the backend's own exceptions.
template <class Backend, auto Binding>
Napi::Value DeviceGuarded(const Napi::CallbackInfo& info) {
  try {
    return Guarded<Binding>(info);
  } catch (const Napi::Error&) {
    throw;
  } catch (const std::exception& error) {
    Throw(info.Env(), Backend::FailureOf(error));
  }
}

/// Makes a function that calls such a binding.
template <class Backend, auto Binding>
constexpr auto kDeviceFunction = &MakeFunction<DeviceGuarded<Backend, Binding>>;

}  // namespace array_interface
