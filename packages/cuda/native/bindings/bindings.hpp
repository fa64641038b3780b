#pragma once

#include "driver/failure.hpp"
#include "ipc/peer_lock.hpp"
#include "napi/exports.hpp"
#include "napi/guarded.hpp"
#include "napi/object.hpp"
#include "napi/setup.hpp"
#include "work/captured_stream.hpp"

namespace array_interface::cuda {

/// Converts a refused lock to ERR_TICKET. Core retries if another process holds the lock, which it
/// recognises by the driver code EAGAIN.
Failure ToFailure(const LockError& error);

/// Wraps a binding: every exception becomes an ArrayInterfaceError.
template <Napi::Value (*Binding)(const Napi::CallbackInfo&)>
Napi::Value Guarded(const Napi::CallbackInfo& info) {
  try {
    return array_interface::Guarded<Binding>(info);
  } catch (const CapturedStream& error) {
    Throw(info.Env(), {"ERR_CAPTURE", "stream", error.what(), "", 0, ""});
  } catch (const LockError& error) {
    Throw(info.Env(), ToFailure(error));
  } catch (const DriverError& error) {
    Throw(info.Env(), ToFailure(error));
  }
}

/// Makes a function that calls a guarded binding.
template <Napi::Value (*Binding)(const Napi::CallbackInfo&)>
constexpr auto kFunction = &MakeFunction<Guarded<Binding>>;

/// Each adds the functions of the file that it is named after to the addon's exports. src/addon.ts
/// documents their parameters and results.
void BindDriver(Napi::Object exports);
void BindMemory(Napi::Object exports);
void BindBorrow(Napi::Object exports);
void BindMapBuffer(Napi::Object exports);
void BindRegistration(Napi::Object exports);
void BindPointer(Napi::Object exports);
void BindPool(Napi::Object exports);
void BindSharing(Napi::Object exports);
void BindStream(Napi::Object exports);
void BindEvent(Napi::Object exports);
void BindCopy(Napi::Object exports);
void BindKernel(Napi::Object exports);
void BindExternalWork(Napi::Object exports);
void BindCapsule(Napi::Object exports);

}  // namespace array_interface::cuda
