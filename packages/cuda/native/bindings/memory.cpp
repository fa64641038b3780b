#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/cuda_addon.hpp"
#include "bindings/guarded.hpp"
#include "bindings/live_stream.hpp"
#include "bindings/make_allocation.hpp"
#include "driver/context.hpp"
#include "kernels/host.hpp"
#include "memory/allocation.hpp"
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
  return MakeAllocation(env, std::move(memory));
}

/// Memory of this process that the driver is told of, until nobody holds it.
Napi::Value MakeRegistered(const Napi::CallbackInfo& info, std::byte* data, std::size_t size) {
  const auto context = Context::Primary(static_cast<int>(ReadSize(info[0], "device")));
  auto registration = std::make_shared<Registration>();
  auto& addon = CudaAddon::Of(info.Env());
  auto memory =
      std::make_shared<Allocation>(Block::Register(context, data, size, registration), addon.bin());
  addon.registrations().Add(memory);
  auto made = MakeAllocation(info.Env(), std::move(memory));
  made["hostPointer"] = Napi::BigInt::New(info.Env(), reinterpret_cast<std::uint64_t>(data));
  made["registration"] = Handle<Registration>::Wrap(info.Env(), std::move(registration));
  return made;
}

/// register(device, bytes): { handle, pointer, hostPointer, registration } of memory that stays
/// where it is.
Napi::Value Register(const Napi::CallbackInfo& info) {
  const Bytes bytes = ReadBytes(info[1], "bytes");
  return MakeRegistered(info, bytes.data, bytes.size);
}

/// registerRange(device, pointer, byteLength): the same of an address, which is believed.
Napi::Value RegisterRange(const Napi::CallbackInfo& info) {
  auto* data = reinterpret_cast<std::byte*>(ReadPointer(info[1], "pointer"));
  return MakeRegistered(info, data, ReadSize(info[2], "byteLength"));
}

/// isRegistered(registration): whether the driver still knows it.
Napi::Value IsRegistered(const Napi::CallbackInfo& info) {
  const auto registration = Handle<Registration>::Unwrap(info[0], "registration");
  return Napi::Boolean::New(info.Env(), !registration->ended());
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

/// freeOn(memory, stream, ...events): gives memory of a pool back in the stream's order, after
/// them.
Napi::Value FreeOn(const Napi::CallbackInfo& info) {
  const auto memory = Handle<Allocation>::Unwrap(info[0], "memory");
  const auto stream = LiveStream(info[1]);
  std::vector<std::shared_ptr<Event>> pending;
  for (std::size_t i = 2; i < info.Length(); i++) {
    pending.push_back(Handle<Event>::Unwrap(info[i], "event"));
  }
  memory->FreeOn(*stream, std::move(pending));
  return info.Env().Undefined();
}

}  // namespace

Napi::Object MakeAllocation(Napi::Env env, std::shared_ptr<Allocation> memory) {
  auto made = Napi::Object::New(env);
  made["pointer"] = Napi::BigInt::New(env, memory->pointer());
  made["handle"] = Handle<Allocation>::Wrap(env, std::move(memory));
  return made;
}

Napi::Object MakeAllocation(Napi::Env env, std::unique_ptr<Block> block) {
  return MakeAllocation(env,
                        std::make_shared<Allocation>(std::move(block), CudaAddon::Of(env).bin()));
}

void ExportMemory(Napi::Object exports) {
  Export<Allocate>(exports, "allocate");
  Export<Register>(exports, "register");
  Export<RegisterRange>(exports, "registerRange");
  Export<IsRegistered>(exports, "isRegistered");
  Export<Free>(exports, "free");
  Export<FreeOn>(exports, "freeOn");
  Export<Pack>(exports, "pack");
  Export<Unpack>(exports, "unpack");
}

}  // namespace array_interface::cuda
