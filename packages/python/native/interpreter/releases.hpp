#pragma once

#include <functional>

#include "interpreter/abi.hpp"

namespace array_interface {

/// Gives up a reference on any thread, attached or not. The next entry into Python drops it, or a
/// thread of its own after some milliseconds.
void ReleaseLater(PyObject* object);

/// Drops all references that were given up. The thread is attached.
void DropReleased();

/// Calls `then` on a detached thread, some milliseconds after references were dropped on any
/// thread, until that gives false.
void AfterDrops(std::function<bool()> then);

}  // namespace array_interface
