#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "bindings/bindings.hpp"
#include "bindings/guarded.hpp"
#include "bindings/hex.hpp"
#include "bindings/live_stream.hpp"
#include "bindings/make_allocation.hpp"
#include "driver/driver.hpp"
#include "memory/share.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"

namespace array_interface::cuda {

namespace {

Napi::String HexOf(Napi::Env env, const IpcHandle& handle) {
  return ToHex(env, handle.bytes, sizeof(handle.bytes));
}

IpcHandle ReadHandle(const Napi::Value& value, const char* path) {
  IpcHandle handle{};
  FromHex(value, path, handle.bytes, sizeof(handle.bytes));
  return handle;
}

[[noreturn]] void ThrowNoLease(Napi::Env env, const std::system_error& error, const char* cure) {
  Throw(env, {"ERR_TICKET", "",
              std::string("expected a file for the ticket's lease, got ") + error.what() + cure, "",
              0, ""});
}

Share MakeShare(Napi::Env env, const Allocation& memory, const Stream& stream) {
  try {
    return Share::Of(memory, stream);
  } catch (const std::system_error& error) {
    ThrowNoLease(env, error, "; close some of this process's files");
  }
}

/// share(memory, stream): what a ticket needs, and the two events of the order between processes.
Napi::Value ShareMemory(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto memory = Handle<Allocation>::Unwrap(info[0], "memory");
  const auto stream = LiveStream(info[1]);
  if (memory->freed()) {
    Throw(env, {"ERR_DISPOSED", "memory",
                "expected memory that is still held, got memory given back", "", 0, ""});
  }
  const Share share = MakeShare(env, *memory, *stream);
  auto made = Napi::Object::New(env);
  made["memory"] = HexOf(env, share.memory);
  made["ready"] = HexOf(env, share.ready->Share());
  made["back"] = HexOf(env, share.back->Share());
  made["readyEvent"] = Handle<Event>::Wrap(env, share.ready);
  made["backEvent"] = Handle<Event>::Wrap(env, share.back);
  made["path"] = share.lease->Path();
  made["lease"] = Handle<Lease>::Wrap(env, share.lease);
  memory->Lend(share.lease);
  return made;
}

/// writeLease(lease, text): adds what a ticket of it must say.
Napi::Value WriteLease(const Napi::CallbackInfo& info) {
  const auto lease = Handle<Lease>::Unwrap(info[0], "lease");
  try {
    lease->Write(ReadString(info[1], "text"));
  } catch (const std::system_error& error) {
    ThrowNoLease(info.Env(), error, "; share fewer views of one array, or a copy of it");
  }
  return info.Env().Undefined();
}

const char* Name(Tenancy::State state) {
  if (state == Tenancy::State::kHeld) return "held";
  return state == Tenancy::State::kEnded ? "ended" : "foreign";
}

/// openLease(path): { state, text, tenancy }.
Napi::Value OpenLease(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto tenancy = std::make_shared<Tenancy>(ReadString(info[0], "lease"));
  auto found = Napi::Object::New(env);
  found["state"] = Name(tenancy->state());
  found["text"] = tenancy->text();
  found["tenancy"] = Handle<Tenancy>::Wrap(env, std::move(tenancy));
  return found;
}

/// leaveLease(tenancy): gives up what openLease gave.
Napi::Value LeaveLease(const Napi::CallbackInfo& info) {
  Handle<Tenancy>::Unwrap(info[0], "tenancy")->Leave();
  return info.Env().Undefined();
}

/// openMemory(device, memory, byteLength, tenancy): { handle, pointer }; the tenancy ends with it.
Napi::Value OpenMemory(const Napi::CallbackInfo& info) {
  const auto context = Context::Primary(static_cast<int>(ReadSize(info[0], "device")));
  const IpcHandle handle = ReadHandle(info[1], "memory");
  const std::uint64_t size = ReadSize(info[2], "byteLength");
  auto tenancy = Handle<Tenancy>::Unwrap(info[3], "tenancy");
  return MakeAllocation(info.Env(), Block::Open(context, handle, size, std::move(tenancy)));
}

/// openEvent(device, event)
Napi::Value OpenEvent(const Napi::CallbackInfo& info) {
  const auto context = Context::Primary(static_cast<int>(ReadSize(info[0], "device")));
  return Handle<Event>::Wrap(info.Env(),
                             std::make_shared<Event>(context, ReadHandle(info[1], "event")));
}

/// takeTurn(tenancy, event, stream): moves an event that several processes share to after all that
/// it stood for and all that the stream was given.
Napi::Value TakeTurn(const Napi::CallbackInfo& info) {
  const auto tenancy = Handle<Tenancy>::Unwrap(info[0], "tenancy");
  const auto event = Handle<Event>::Unwrap(info[1], "event");
  const auto stream = LiveStream(info[2]);
  const Tenancy::Turn turn(*tenancy);
  stream->Wait(*event);
  event->Move(stream->handle());
  return info.Env().Undefined();
}

}  // namespace

void ExportSharing(Napi::Object exports) {
  Export<ShareMemory>(exports, "share");
  Export<WriteLease>(exports, "writeLease");
  Export<OpenLease>(exports, "openLease");
  Export<LeaveLease>(exports, "leaveLease");
  Export<OpenMemory>(exports, "openMemory");
  Export<OpenEvent>(exports, "openEvent");
  Export<TakeTurn>(exports, "takeTurn");
}

}  // namespace array_interface::cuda
