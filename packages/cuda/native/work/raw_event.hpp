#pragma once

#include "driver/context.hpp"

namespace array_interface::cuda {

/// A new event of the driver, counted as live. The context is current. Throws DriverError.
EventHandle MakeEvent(unsigned flags);
/// An event of another process, counted as live. The context is current. Throws DriverError.
EventHandle OpenEvent(const IpcHandle& handle);
/// Counts such an event as live no more, and leaves it to its context.
void ForgetEvent() noexcept;
/// Destroys such an event. Never throws: if the context is gone, so is the event.
void DestroyEvent(const Context& context, EventHandle event) noexcept;

}  // namespace array_interface::cuda
