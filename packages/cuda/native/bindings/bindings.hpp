#pragma once

#include "napi/setup.hpp"

namespace array_interface::cuda {

/// Each puts the functions of the file that it is named for on the addon's exports. src/native.ts
/// says what they take and give.
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
