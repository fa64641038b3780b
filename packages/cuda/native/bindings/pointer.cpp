#include <algorithm>
#include <cstdint>
#include <cstring>

#include "bindings/bindings.hpp"
#include "driver/context.hpp"
#include "memory/pointer_info.hpp"
#include "memory/process_memory.hpp"
#include "napi/argument.hpp"

namespace array_interface::cuda {

namespace {

const char* KindName(const PointerInfo& found) {
  if (found.is_managed || found.memory_type == kMemoryTypeUnified) return "shared";
  return found.memory_type == kMemoryTypeHost ? "host" : "device";
}

/// `context` is the one in which the driver was queried. Null: whichever was current.
Napi::Value Describe(Napi::Env env, std::uint64_t pointer, const PointerInfo& found,
                     const Context* context) {
  if (!found.is_known) return env.Null();
  const bool is_of_any = found.context == nullptr || std::strcmp(KindName(found), "device") != 0;
  const DevicePointer used = found.device_pointer != 0 ? found.device_pointer : pointer;
  const auto block = ProcessBlocks().Find(used);
  const bool is_ours = block != nullptr;
  const auto is_of = [&](MemoryKind kind) {
    return is_ours && AllocationOf(*block)->memory_kind() == kind;
  };
  return MakeObject(
      env,
      {
          {"memoryKind", KindName(found)},
          {"device", found.device},
          {"isReached", is_of_any || (context != nullptr && found.context == context->handle())},
          {"devicePointer", Napi::BigInt::New(env, found.device_pointer)},
          {"hostPointer", Napi::BigInt::New(env, found.host_pointer)},
          {"rangeStart", Napi::BigInt::New(env, found.range_start)},
          {"rangeSize", Napi::BigInt::New(env, found.range_size)},
          {"isPool", found.pool != nullptr},
          {"isIpcCapable", found.is_ipc_capable},
          {"isOurs", is_ours},
          {"isGivenUp", !is_ours && ProcessBlocks().IsGivenUp(used)},
          {"isRegistered", is_of(MemoryKind::kRegistered)},
          {"bufferId", Napi::BigInt::New(env, found.buffer_id)},
          {"context", Napi::BigInt::New(env, reinterpret_cast<std::uint64_t>(found.context))},
      });
}

/// queryPointer(pointer, device?): what the driver knows, in the primary context of that device, or
/// in the current context.
Napi::Value QueryPointer(const Napi::CallbackInfo& info) {
  const std::uint64_t pointer = ReadPointer(info[0], "pointer");
  if (info[1].IsUndefined()) {
    return Describe(info.Env(), pointer, InspectPointer(pointer), nullptr);
  }
  const auto context = Context::Primary(static_cast<int>(ReadSize(info[1], "device")));
  const ContextScope scope(*context);
  return Describe(info.Env(), pointer, InspectPointer(pointer), context.get());
}

/// Returns the device that holds an address; 0 if no device does.
int DeviceOf(std::uint64_t pointer) {
  if (const auto block = ProcessBlocks().Find(pointer)) {
    return AllocationOf(*block)->context()->device();
  }
  return std::max(0, InspectPointer(pointer).device);
}

/// queryPointerInItsContext(pointer): what the driver knows, in the primary context of the
/// address's device.
Napi::Value QueryPointerInItsContext(const Napi::CallbackInfo& info) {
  const std::uint64_t pointer = ReadPointer(info[0], "pointer");
  const auto context = Context::Primary(DeviceOf(pointer));
  const ContextScope scope(*context);
  return Describe(info.Env(), pointer, InspectPointer(pointer), context.get());
}

}  // namespace

void BindPointer(Napi::Object exports) {
  AddExports(exports, {
                          {"queryPointer", kFunction<QueryPointer>},
                          {"queryPointerInItsContext", kFunction<QueryPointerInItsContext>},
                      });
}

}  // namespace array_interface::cuda
