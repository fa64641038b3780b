#pragma once

#include <memory>
#include <utility>

#include "device/device_memory.hpp"
#include "device/guarded.hpp"
#include "napi/tickets.hpp"

namespace array_interface {

/// addTicket(memory, token, text): stores a ticket for other threads. Returns false for memory that
/// may end with this thread: another library's, and JavaScript's.
template <class Backend>
Napi::Value AddTicket(const Napi::CallbackInfo& info) {
  const auto memory = LiveMemory<typename Backend::Memory>(info[0], "memory");
  const bool stays = memory->OutlivesThread();
  if (stays) HoldTicket(info, memory->Share());
  return Napi::Boolean::New(info.Env(), stays);
}

/// takeTicket(token): the description of the memory, with the ticket's text, or null.
template <class Backend>
Napi::Value TakeTicket(const Napi::CallbackInfo& info) {
  using Memory = typename Backend::Memory;
  auto ticket = OpenTicket<typename Memory::Shared>(info);
  if (!ticket) return info.Env().Null();
  auto described = Backend::Describe(
      info.Env(), std::make_shared<Memory>(info.Env(), std::move(ticket->memory)));
  described["text"] = ticket->text;
  return described;
}

template <class Backend>
void BindDeviceTicket(Napi::Object exports) {
  using Shared = typename Backend::Memory::Shared;
  AddExports(exports, {
                          {"addTicket", kDeviceFunction<Backend, AddTicket<Backend>>},
                          {"takeTicket", kDeviceFunction<Backend, TakeTicket<Backend>>},
                          {"endTicket", kDeviceFunction<Backend, EndTicket<Shared>>},
                          {"leaveTickets", kDeviceFunction<Backend, LeaveTickets<Shared>>},
                      });
}

}  // namespace array_interface
