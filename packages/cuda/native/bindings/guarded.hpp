#pragma once

#include "driver/driver_error.hpp"
#include "memory/tenancy.hpp"
#include "napi/failure.hpp"
#include "napi/guarded.hpp"
#include "napi/setup.hpp"
#include "work/captured_stream.hpp"

namespace array_interface::cuda {

/// A failed driver call as JavaScript's error: ERR_CUDA, or ERR_OUT_OF_MEMORY.
Failure ToFailure(const DriverError& error);
/// A lock that was refused: ERR_TICKET. Core asks again for one that another process holds, which
/// it knows by the driver code EAGAIN.
Failure ToFailure(const NoTurn& error);

/// Wraps a binding: every exception becomes an ArrayInterfaceError.
template <Napi::Value (*Binding)(const Napi::CallbackInfo&)>
Napi::Value Guarded(const Napi::CallbackInfo& info) {
  try {
    return array_interface::Guarded<Binding>(info);
  } catch (const CapturedStream& error) {
    Throw(info.Env(), {"ERR_CAPTURE", "stream", error.what(), "", 0, ""});
  } catch (const NoTurn& error) {
    Throw(info.Env(), ToFailure(error));
  } catch (const DriverError& error) {
    Throw(info.Env(), ToFailure(error));
  }
}

/// Puts a guarded binding on `exports` under `name`.
template <Napi::Value (*Binding)(const Napi::CallbackInfo&)>
void Export(Napi::Object exports, const char* name) {
  exports.Set(name, Napi::Function::New<Guarded<Binding>>(exports.Env(), name));
}

}  // namespace array_interface::cuda
