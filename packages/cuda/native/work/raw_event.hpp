#pragma once

#include "driver/context.hpp"

namespace array_interface::cuda {

/// A new event of the driver's, counted as live; the context is current. Throws DriverError.
EventHandle MakeEvent(unsigned flags);
/// An event of another process, likewise.
EventHandle OpenEvent(const IpcHandle& handle);
/// Destroys one that the above made. Never throws: where the context is gone, the event is, too.
void DestroyEvent(const Context& context, EventHandle event) noexcept;

}  // namespace array_interface::cuda
