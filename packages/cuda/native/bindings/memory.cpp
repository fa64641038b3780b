#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/cuda_addon.hpp"
#include "bindings/guarded.hpp"
#include "driver/context.hpp"
#include "kernels/host.hpp"
#include "memory/allocation.hpp"
#include "memory/pointer_info.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"

namespace array_interface::cuda {

namespace {

MemoryKind ReadKind(const Napi::Value& value) {
  const std::string kind = ReadString(value, "memoryKind");
  if (kind == "device") return MemoryKind::kDevice;
  if (kind == "shared") return MemoryKind::kManaged;
  if (kind == "host") return MemoryKind::kPinned;
  if (kind == "staging") return MemoryKind::kStaging;
  Throw(value.Env(), {"ERR_ARGUMENT", "memoryKind",
                      "expected 'device', 'shared' or 'host', got '" + kind + "'", "", 0, ""});
}

/// allocate(device, memoryKind, byteLength): { handle, pointer }.
Napi::Value Allocate(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto device = static_cast<int>(ReadSize(info[0], "device"));
  const MemoryKind kind = ReadKind(info[1]);
  const std::uint64_t size = ReadSize(info[2], "byteLength");
  auto memory =
      std::make_shared<Allocation>(Context::Primary(device), CudaAddon::Of(env).bin(), kind, size);
  auto made = Napi::Object::New(env);
  made["pointer"] = Napi::BigInt::New(env, memory->pointer());
  made["handle"] = Handle<Allocation>::Wrap(env, std::move(memory));
  return made;
}

/// free(memory, ...events): gives it back once they are reached.
Napi::Value Free(const Napi::CallbackInfo& info) {
  const auto memory = Handle<Allocation>::Unwrap(info[0], "memory");
  std::vector<std::shared_ptr<Event>> pending;
  for (std::size_t i = 1; i < info.Length(); i++) {
    pending.push_back(Handle<Event>::Unwrap(info[i], "event"));
  }
  memory->Free(std::move(pending));
  return info.Env().Undefined();
}

/// Copies between pinned memory and JavaScript's, now; both sides of the plan count from a first
/// byte.
Napi::Value Move(const Napi::CallbackInfo& info, bool into_pinned) {
  const Napi::Env env = info.Env();
  const auto memory = Handle<Allocation>::Unwrap(info[0], "memory");
  if (memory->freed() || memory->host() == nullptr) {
    Throw(env, {"ERR_DISPOSED", "memory",
                "expected host memory that is still held, got memory given back or of a device", "",
                0, ""});
  }
  StridedCopy plan = ReadPlan(info[1]);
  const Bytes bytes = ReadBytes(info[2], "buffer");
  CheckWithin(env, plan, into_pinned, bytes.size, "buffer");
  CheckWithin(env, plan, !into_pinned, memory->size(), "memory");
  std::byte* const to = into_pinned ? memory->host() : bytes.data;
  std::byte* const from = into_pinned ? bytes.data : memory->host();
  plan.destination = to + reinterpret_cast<std::uintptr_t>(plan.destination);
  plan.source = from + reinterpret_cast<std::uintptr_t>(plan.source);
  strided_copy(plan);
  return env.Undefined();
}

/// pack(memory, plan, bytes): JavaScript memory into pinned memory.
Napi::Value Pack(const Napi::CallbackInfo& info) { return Move(info, true); }

/// unpack(memory, plan, bytes): pinned memory into JavaScript memory.
Napi::Value Unpack(const Napi::CallbackInfo& info) { return Move(info, false); }

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
  return known;
}

}  // namespace

void ExportMemory(Napi::Object exports) {
  Export<Allocate>(exports, "allocate");
  Export<Free>(exports, "free");
  Export<Pack>(exports, "pack");
  Export<Unpack>(exports, "unpack");
  Export<Inspect>(exports, "inspect");
}

}  // namespace array_interface::cuda
