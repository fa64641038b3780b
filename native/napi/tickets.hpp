#pragma once

#include <optional>
#include <string>
#include <utility>

#include "napi/addon.hpp"
#include "napi/argument.hpp"
#include "threads/ticket_table.hpp"

// Bindings of a TicketTable, which are the same in all addons. An exporter is identified by the
// addon's data of its environment.

namespace array_interface {

/// addTicket(memory, token, text), once the memory has been read.
template <class Memory>
void HoldTicket(const Napi::CallbackInfo& info, Memory memory) {
  TicketTable<Memory>::Get().Add(
      ReadString(info[1], "token"),
      {&Addon::Of(info.Env()), std::move(memory), ReadString(info[2], "text")});
}

/// takeTicket(token): takes the ticket out of the table.
template <class Memory>
auto OpenTicket(const Napi::CallbackInfo& info) {
  return TicketTable<Memory>::Get().Take(ReadString(info[0], "token"));
}

/// endTicket(token): removes a ticket, unless it was taken.
template <class Memory>
Napi::Value EndTicket(const Napi::CallbackInfo& info) {
  OpenTicket<Memory>(info);
  return info.Env().Undefined();
}

/// leaveTickets(): lets this environment's tickets outlive it.
template <class Memory>
Napi::Value LeaveTickets(const Napi::CallbackInfo& info) {
  TicketTable<Memory>::Get().Leave(&Addon::Of(info.Env()));
  return info.Env().Undefined();
}

}  // namespace array_interface
