#pragma once

#include <functional>

#include "interpreter/abi.hpp"

namespace array_interface {

/// Releases a reference on any thread, attached or not. The next entry into Python drops it, or a
/// background thread after a few milliseconds.
void ReleaseLater(PyObject* object);

/// Drops all released references. Does nothing after EndReleases. The thread must be attached.
void DropReleased();

/// Lets other threads finish what they have begun to drop, since a destructor that is cut off may
/// have done only half, and begins no more. Waits for some seconds at most. The thread must be
/// detached.
void EndReleases();

/// Calls `then` on a detached thread, a few milliseconds after references were dropped on any
/// thread, until it returns false.
void AfterDrops(std::function<bool()> then);

}  // namespace array_interface
