#include "share.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "capsule/imported.hpp"
#include "host_memory.hpp"
#include "napi/argument.hpp"
#include "napi/exports.hpp"
#include "napi/failure.hpp"
#include "napi/handle.hpp"
#include "napi/object.hpp"
#include "napi/tickets.hpp"
#include "shared_file.hpp"

namespace array_interface {

namespace {

/// Sets an allocation's pointer and a lease on it as properties of an object.
void Describe(Napi::Object result, std::shared_ptr<Allocation> allocation) {
  const Napi::Env env = result.Env();
  const std::size_t size = allocation->size();
  result["pointer"] = Napi::BigInt::New(env, std::uint64_t{allocation->address()});
  result["byteLength"] = static_cast<double>(size);
  result["handle"] =
      Handle<HostMemory>::Wrap(env, std::make_shared<HostMemory>(env, std::move(allocation), size));
}

/// allocateShareable(byteLength, header): returns {handle, pointer, byteLength, path}, memory in a
/// file that begins with the header.
Napi::Value AllocateShareable(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::uint64_t size = ReadSize(info[0], "byteLength");
  SharedFile::Made made = SharedFile::Make(size, ReadString(info[1], "header"));
  if (made.allocation == nullptr) {
    Throw(env, {"ERR_OUT_OF_MEMORY", "",
                "expected a file of " + std::to_string(size) + " bytes in memory, got none (" +
                    std::generic_category().message(made.error) +
                    "); dispose of shareable arrays that are no longer used",
                "", 0, ""});
  }
  Napi::Object result = MakeObject(env, {{"path", made.path}});
  Describe(result, std::move(made.allocation));
  return result;
}

/// openShared(path, headerLength, user): returns {state, owner}. If the state is `open`, also
/// {header, handle, pointer, byteLength}, all the memory of another process's file.
Napi::Value OpenShared(const Napi::CallbackInfo& info) {
  SharedFile::Opened opened =
      SharedFile::Open(ReadString(info[0], "path"), ReadSize(info[1], "headerLength"),
                       static_cast<uid_t>(ReadSize(info[2], "user")));
  if (opened.error != 0) {
    Throw(info.Env(), {"ERR_TICKET", "ticket.lease",
                       "expected to open the ticket's file, got none (" +
                           std::generic_category().message(opened.error) +
                           "); close files, or raise `ulimit -n`",
                       "", 0, ""});
  }
  Napi::Object result =
      MakeObject(info.Env(), {{"state", NameOf(opened.state)}, {"owner", opened.owner}});
  if (opened.allocation == nullptr) return result;
  result["header"] = opened.header;
  Describe(result, std::move(opened.allocation));
  return result;
}

/// addTicket(handle, token, text): adds a ticket for a lease's memory, which a thread can take.
/// Returns true if the memory outlives this thread.
Napi::Value AddTicket(const Napi::CallbackInfo& info) {
  const auto lease = Handle<HostMemory>::Unwrap(info[0], "handle");
  if (lease->memory() == nullptr) RefuseEnded(info.Env());
  HoldTicket(info, lease->Hold());
  return Napi::Boolean::New(info.Env(), true);
}

/// takeTicket(token): returns {text, handle}, or null.
Napi::Value TakeTicket(const Napi::CallbackInfo& info) {
  auto ticket = OpenTicket<HeldMemory>(info);
  if (!ticket) return info.Env().Null();
  auto& [memory, size] = ticket->memory;
  auto lease = std::make_shared<HostMemory>(info.Env(), std::move(memory), size);
  return MakeObject(info.Env(),
                    {
                        {"text", ticket->text},
                        {"handle", Handle<HostMemory>::Wrap(info.Env(), std::move(lease))},
                    });
}

}  // namespace

void BindShare(Napi::Object exports) {
  AddExports(exports, {
                          {"allocateShareable", kFunction<AllocateShareable>},
                          {"openShared", kFunction<OpenShared>},
                          {"addTicket", kFunction<AddTicket>},
                          {"takeTicket", kFunction<TakeTicket>},
                          {"endTicket", kFunction<EndTicket<HeldMemory>>},
                          {"leaveTickets", kFunction<LeaveTickets<HeldMemory>>},
                      });
}

}  // namespace array_interface
