// Events, which represent commands that the runtime may not have been given yet.

#include <cstdint>
#include <utility>

#include "calls.hpp"
#include "world/functions.hpp"
#include "world/world.hpp"

namespace array_interface::sycl::interposer {

namespace {

/// The command of an event that the caller passed, or null. `is_gone`: whether it was deleted,
/// which is a fault.
CommandPointer Find(Visit& visit, const void* event, bool& is_gone) {
  auto command = visit->CommandOf(event);
  is_gone = command == nullptr && visit->references.IsGone(Kind::kEvent, event);
  if (is_gone) visit->journal.Fault("an event that was deleted is used");
  return command;
}

/// Waits until the runtime has the command of `event`, and passes the runtime's event to `use`.
template <class Result, class UseEvent>
Result WithReal(void* event, Result otherwise, UseEvent use) {
  CommandPointer command;
  {
    Visit visit;
    bool is_gone = false;
    command = Find(visit, event, is_gone);
    if (is_gone) return otherwise;
    if (command != nullptr) visit->schedule.ForceWhenReleased(command, visit.lock());
  }
  if (command == nullptr) return use(event);
  return command->event == nullptr ? otherwise : use(command->event);
}

void Wait(void* event, void (*wait)(void*)) {
  WithReal(event, 0, [wait](void* submitted) {
    wait(submitted);
    return 0;
  });
  Visit visit;
  const auto command = visit->CommandOf(event);
  if (command != nullptr) visit->NoteEnd(*command, "wait");
}

}  // namespace

int Calls::Event_GetCommandExecutionStatus(void* event) {
  CommandPointer command;
  {
    Visit visit;
    bool is_gone = false;
    command = Find(visit, event, is_gone);
    if (is_gone) return static_cast<int>(EventStatus::kUnknown);
    if (command != nullptr && !visit->schedule.Look(command)) {
      return static_cast<int>(EventStatus::kSubmitted);
    }
  }
  if (command == nullptr) return real().Event_GetCommandExecutionStatus(event);
  if (command->event == nullptr) return static_cast<int>(EventStatus::kComplete);
  const int status = real().Event_GetCommandExecutionStatus(command->event);
  if (status == static_cast<int>(EventStatus::kComplete)) Visit()->NoteEnd(*command, "complete");
  return status;
}

void Calls::Event_Wait(void* event) { Wait(event, more().Event_Wait); }

void Calls::Event_WaitAndThrow(void* event) { Wait(event, real().Event_WaitAndThrow); }

std::uint64_t Calls::Event_GetProfilingInfoSubmit(void* event) {
  return WithReal(event, std::uint64_t{0}, real().Event_GetProfilingInfoSubmit);
}

std::uint64_t Calls::Event_GetProfilingInfoStart(void* event) {
  return WithReal(event, std::uint64_t{0}, real().Event_GetProfilingInfoStart);
}

std::uint64_t Calls::Event_GetProfilingInfoEnd(void* event) {
  return WithReal(event, std::uint64_t{0}, real().Event_GetProfilingInfoEnd);
}

void* Calls::Event_Copy(void* event) {
  Visit visit;
  bool is_gone = false;
  auto command = Find(visit, event, is_gone);
  if (is_gone) return nullptr;
  if (command == nullptr) return visit->Give(Kind::kEvent, more().Event_Copy(event));
  return visit->GiveEvent(std::move(command));
}

void Calls::Event_Delete(void* event) {
  {
    Visit visit;
    const bool is_own = visit->CommandOf(event) != nullptr;
    if (!visit->references.Remove(Kind::kEvent, event)) return;
    if (is_own) return visit.Drop(visit->RemoveEvent(event));
  }
  real().Event_Delete(event);
}

}  // namespace array_interface::sycl::interposer
