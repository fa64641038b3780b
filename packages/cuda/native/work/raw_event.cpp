#include "work/raw_event.hpp"

#include "driver/driver.hpp"
#include "driver/live_counts.hpp"

namespace array_interface::cuda {

EventHandle MakeEvent(unsigned flags) {
  EventHandle event = nullptr;
  Cuda().cuEventCreate(&event, flags);
  ++LiveCount::Of(LiveKind::kEvent);
  return event;
}

EventHandle OpenEvent(const IpcHandle& handle) {
  EventHandle event = nullptr;
  Cuda().cuIpcOpenEventHandle(&event, handle);
  ++LiveCount::Of(LiveKind::kEvent);
  return event;
}

void ForgetEvent() noexcept { --LiveCount::Of(LiveKind::kEvent); }

void DestroyEvent(const Context& context, EventHandle event) noexcept {
  ForgetEvent();
  try {
    const ContextScope scope(context);
    Cuda().cuEventDestroy.Try(event);
  } catch (const DriverError&) {
    // The context is gone, and the event with it.
  }
}

}  // namespace array_interface::cuda
