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

/// The tensor of `__dlpack__(max_version=(1, 3))`, without a capsule: the caller must have it
/// deleted. The legacy default stream of CUDA waits for the pending work. The thread must be
/// attached. Throws Refusal.
DLManagedTensorVersioned* ExportTensor(const std::shared_ptr<SharedArray>& array);

/// The same without an owner: good as long as the array. Throws Refusal.
DLTensor TensorOf(const SharedArray& array);

/// `__dlpack_device__()`.
Reference DLPackDeviceOf(const SharedArray& array);

}  // namespace array_interface
