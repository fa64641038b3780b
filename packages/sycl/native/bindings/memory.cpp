#include "bindings/bindings.hpp"
#include "device/borrow.hpp"

namespace array_interface::sycl {

namespace {

/// import(contextDevice, owner): memory of this process that is not USM, but that the device can
/// access. Keeps the owner while work on the memory is pending.
Napi::Value Import(const Napi::CallbackInfo& info) {
  return BorrowFrom<SyclBackend>(info[1],
                                 {SyclBackend::ReadDevice(info[0]), UsmType::kUnknown, nullptr});
}

}  // namespace

void BindMemory(Napi::Object exports) { AddExports(exports, {{"import", kFunction<Import>}}); }

}  // namespace array_interface::sycl
