#include <memory>
#include <utility>

#include "bind.hpp"
#include "describe.hpp"
#include "memory/sycl_memory.hpp"
#include "napi/handle.hpp"
#include "napi/tickets.hpp"

namespace array_interface::sycl {

namespace {

/// addTicket(memory, token, text): stores a ticket for other threads. Returns false for memory that
/// this library did not allocate, since it may end with this thread.
Napi::Value AddTicket(const Napi::CallbackInfo& info) {
  const auto memory = Handle<SyclMemory>::Unwrap(info[0], "memory");
  const bool is_ours = memory->block()->allocation() != nullptr;
  if (is_ours) {
    HoldTicket(info, SharedMemory({memory->context_device(), memory->type(), memory->block()}));
  }
  return Napi::Boolean::New(info.Env(), is_ours);
}

/// takeTicket(token): returns {text, memory, type, contextDevice, range}, or null.
Napi::Value TakeTicket(const Napi::CallbackInfo& info) {
  const auto ticket = OpenTicket<SharedMemory>(info);
  if (!ticket) return info.Env().Null();
  const auto& [context_device, type, block] = ticket->memory.parts();
  auto described = DescribeMemory(
      info.Env(), std::make_shared<SyclMemory>(info.Env(), context_device, type, block, false));
  described["text"] = ticket->text;
  return described;
}

}  // namespace

void BindShare(Napi::Object exports) {
  AddExports(exports, {
                          {"addTicket", kFunction<AddTicket>},
                          {"takeTicket", kFunction<TakeTicket>},
                          {"endTicket", kFunction<EndTicket<SharedMemory>>},
                          {"leaveTickets", kFunction<LeaveTickets<SharedMemory>>},
                      });
}

}  // namespace array_interface::sycl
