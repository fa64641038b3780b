#pragma once

#include "driver/context.hpp"

namespace array_interface::cuda {

/// Creates a driver event, counted as live. The context must be current. Throws DriverError.
EventHandle MakeEvent(unsigned flags);
/// Opens another process's event, counted as live. The context must be current. Throws DriverError.
EventHandle OpenEvent(const IpcHandle& handle);
/// No longer counts an event as live, and leaves it to its context.
void ForgetEvent() noexcept;
/// Destroys an event. Never throws: if the context is gone, so is the event.
void DestroyEvent(const Context& context, EventHandle event) noexcept;

}  // namespace array_interface::cuda
