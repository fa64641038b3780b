#pragma once

#include <memory>

#include "arrays_out/shared_array.hpp"
#include "interpreter/reference.hpp"

namespace array_interface {

/// `__dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None)`: returns a capsule
/// whose tensor shares the array, or has its own copy. The thread must be attached. Blocks until
/// the pending work has ended if the consumer's own work cannot wait for it. Throws Refusal and
/// PendingInPython.
Reference DLPackOf(const std::shared_ptr<SharedArray>& array, PyObject* arguments,
                   PyObject* keywords);

/// `__dlpack_device__()`.
Reference DLPackDeviceOf(const SharedArray& array);

}  // namespace array_interface
