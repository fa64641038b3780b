#pragma once

#include "driver/context_device.hpp"
#include "kernels/layout/strided_copy.hpp"
#include "sycl_memory.hpp"

namespace array_interface::sycl {

/// Whether a copy is one run of contiguous bytes on both sides. memcpy moves these several times
/// faster than a kernel, and also between devices of one context.
bool IsOneRun(const StridedCopy& copy);

/// Checks a copy on a queue of `context_device` before anything is enqueued. Both sides must lie in
/// their memories. The queue must be able to access these by kernels, or by memcpy if the copy is
/// one run. Throws SyclError ERR_OUT_OF_BOUNDS, ERR_POINTER_UNKNOWN, ERR_NOT_ACCESSIBLE,
/// ERR_DISPOSED, and what validate() throws.
void CheckCopy(const ContextDevice& context_device, const StridedCopy& copy, SyclMemory& target,
               SyclMemory& origin);

}  // namespace array_interface::sycl
