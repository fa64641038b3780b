#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>

#include "bindings/bindings.hpp"
#include "bindings/guarded.hpp"
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

/// inspect(pointer, device?): what the driver knows, in the primary context of that device or in
/// whatever context is current.
Napi::Value Inspect(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::uint64_t pointer = ReadPointer(info[0], "pointer");
  std::shared_ptr<Context> context;
  std::optional<ContextScope> scope;
  if (!info[1].IsUndefined()) {
    context = Context::Primary(static_cast<int>(ReadSize(info[1], "device")));
    scope.emplace(*context);
  }
  const PointerInfo found = InspectPointer(pointer);
  if (!found.is_known) return env.Null();
  const bool is_of_any = found.context == nullptr || std::strcmp(KindName(found), "device") != 0;
  auto known = Napi::Object::New(env);
  known["memoryKind"] = KindName(found);
  known["device"] = found.device;
  known["isReached"] = is_of_any || (context != nullptr && found.context == context->handle());
  known["devicePointer"] = Napi::BigInt::New(env, found.device_pointer);
  known["hostPointer"] = Napi::BigInt::New(env, found.host_pointer);
  known["rangeStart"] = Napi::BigInt::New(env, found.range_start);
  known["rangeSize"] = Napi::BigInt::New(env, found.range_size);
  known["isManaged"] = found.is_managed;
  known["isPool"] = found.pool != nullptr;
  known["isIpcCapable"] = found.is_ipc_capable;
  const DevicePointer used = found.device_pointer != 0 ? found.device_pointer : pointer;
  const auto block = ProcessBlocks().Find(used);
  known["isOurs"] = block != nullptr;
  known["isGivenUp"] = ProcessBlocks().IsGivenUp(used);
  known["isRegistered"] =
      block != nullptr && AllocationOf(*block)->memory_kind() == MemoryKind::kRegistered;
  known["bufferId"] = Napi::BigInt::New(env, found.buffer_id);
  known["context"] = Napi::BigInt::New(env, reinterpret_cast<std::uint64_t>(found.context));
  return known;
}

}  // namespace

void ExportPointer(Napi::Object exports) { Export<Inspect>(exports, "inspect"); }

}  // namespace array_interface::cuda
