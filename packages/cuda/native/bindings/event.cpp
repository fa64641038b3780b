#include "work/event.hpp"

#include <memory>

#include "bindings/bindings.hpp"
#include "bindings/guarded.hpp"
#include "napi/addon.hpp"
#include "napi/handle.hpp"

namespace array_interface::cuda {

namespace {

Poll Look(const Event& event) {
  try {
    return {event.Query(), std::nullopt};
  } catch (const DriverError& error) {
    return {true, ToFailure(error)};
  }
}

/// queryEvent(event): whether it is reached.
Napi::Value QueryEvent(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), Handle<Event>::Unwrap(info[0], "event")->Query());
}

/// waitEvent(event): a promise; the waiter's thread looks at the event.
Napi::Value WaitEvent(const Napi::CallbackInfo& info) {
  const auto event = Handle<Event>::Unwrap(info[0], "event");
  return Addon::Of(info.Env()).waiter().Wait(info.Env(), [event] { return Look(*event); });
}

/// synchronizeEvent(event): blocks until it is reached.
Napi::Value SynchronizeEvent(const Napi::CallbackInfo& info) {
  Handle<Event>::Unwrap(info[0], "event")->Synchronize();
  return info.Env().Undefined();
}

}  // namespace

void ExportEvent(Napi::Object exports) {
  Export<QueryEvent>(exports, "queryEvent");
  Export<WaitEvent>(exports, "waitEvent");
  Export<SynchronizeEvent>(exports, "synchronizeEvent");
}

}  // namespace array_interface::cuda
