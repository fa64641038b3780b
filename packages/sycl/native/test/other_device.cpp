// An addon for tests: devices of backends that the machines of the tests do not have. The runtime's
// functions are replaced; the list of devices and the refusal of copies are the package's own.

#include <memory>
#include <string>

#include "driver/device.hpp"
#include "memory/check_copy.hpp"
#include "memory/process_allocator.hpp"
#include "memory/sycl_memory.hpp"
#include "napi/setup.hpp"

namespace array_interface::sycl {

namespace {

char thing = 0;  // the address of all native objects
int backend_number = 0;

const char* GetText(void*) { return nullptr; }
void* GetThing(void*) { return &thing; }
int GetBackend(void*) { return backend_number; }
int GetGpu(void*) { return 1 << 4; }
std::uint64_t GetSize(void*) { return 1; }
std::int64_t GetNumber(void*) { return 0; }
std::uint32_t GetUnits(void*) { return 1; }
bool HasAspect(void*, int) { return true; }
int GetDeviceMemory(void*, void*) { return static_cast<int>(UsmType::kDevice); }
void Delete(void*) {}

template <class Function, class Replacement>
void Replace(Function& function, Replacement* replacement) {
  function.Bind(reinterpret_cast<void*>(replacement));
}

const Dpctl& Replaced() {
  static Dpctl dpctl;
  Replace(dpctl.Device_GetName, &GetText);
  Replace(dpctl.Device_GetDriverVersion, &GetText);
  Replace(dpctl.Device_GetBackend, &GetBackend);
  Replace(dpctl.Device_GetDeviceType, &GetGpu);
  Replace(dpctl.Device_GetGlobalMemSize, &GetSize);
  Replace(dpctl.Device_GetMaxComputeUnits, &GetUnits);
  Replace(dpctl.Device_HasAspect, &HasAspect);
  Replace(dpctl.Device_Copy, &GetThing);
  Replace(dpctl.Device_Delete, &Delete);
  Replace(dpctl.DeviceMgr_GetRelativeId, &GetNumber);
  Replace(dpctl.DeviceMgr_GetCachedContext, &GetThing);
  Replace(dpctl.Context_Delete, &Delete);
  Replace(dpctl.USM_GetPointerType, &GetDeviceMemory);
  return dpctl;
}

/// use(backend): selects the backend of the device, by the C library's number.
Napi::Value Use(const Napi::CallbackInfo& info) {
  backend_number = info[0].ToNumber().Int32Value();
  return info.Env().Undefined();
}

Device Here() { return {Replaced(), 0, DeviceReference(Replaced(), &thing)}; }

/// limitation(): returns which copies the device cannot do; '' for none.
Napi::Value Limitation(const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), Here().limitation);
}

/// copy(step): returns why a copy of every `step`-th of eight numbers is refused, {code, message},
/// or null.
Napi::Value Copy(const Napi::CallbackInfo& info) {
  const Device device = Here();
  const auto make = [&] {
    return SyclMemory(info.Env(), device.context_device, UsmType::kDevice,
                      Block::Borrowed(ProcessAllocator()), false);
  };
  SyclMemory target = make();
  SyclMemory origin = make();
  const StridedCopy copy{&thing, &thing, 4, {8}, {4}, {4 * info[0].ToNumber().Int64Value()}};
  try {
    CheckCopy(*device.context_device, copy, target, origin);
  } catch (const SyclError& error) {
    auto refused = Napi::Object::New(info.Env());
    refused["code"] = error.failure().code;
    refused["message"] = error.failure().message;
    return refused;
  }
  return info.Env().Null();
}

Napi::Object Start(Napi::Env env, Napi::Object exports) {
  exports["use"] = Napi::Function::New<Use>(env, "use");
  exports["limitation"] = Napi::Function::New<Limitation>(env, "limitation");
  exports["copy"] = Napi::Function::New<Copy>(env, "copy");
  return exports;
}

}  // namespace

NODE_API_MODULE(other_device, Start)

}  // namespace array_interface::sycl
