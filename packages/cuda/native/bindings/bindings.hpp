#pragma once

#include "driver/failure.hpp"
#include "ipc/peer_lock.hpp"
#include "napi/guarded.hpp"
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

/// Adds a guarded binding to `exports` under `name`.
template <Napi::Value (*Binding)(const Napi::CallbackInfo&)>
void Export(Napi::Object exports, const char* name) {
  exports.Set(name, Napi::Function::New<Guarded<Binding>>(exports.Env(), name));
}

/// Each adds the functions of the file that it is named after to the addon's exports. src/addon.ts
/// documents their parameters and results.
void ExportDriver(Napi::Object exports);
void ExportMemory(Napi::Object exports);
void ExportBorrow(Napi::Object exports);
void ExportExpose(Napi::Object exports);
void ExportRegistration(Napi::Object exports);
void ExportPointer(Napi::Object exports);
void ExportPool(Napi::Object exports);
void ExportSharing(Napi::Object exports);
void ExportStream(Napi::Object exports);
void ExportEvent(Napi::Object exports);
void ExportCopy(Napi::Object exports);
void ExportKernel(Napi::Object exports);
void ExportOthers(Napi::Object exports);
void ExportCapsule(Napi::Object exports);

}  // namespace array_interface::cuda
