#pragma once

#include "driver/context_device.hpp"
#include "kernels/layout/strided_copy.hpp"
#include "sycl_memory.hpp"

namespace array_interface::sycl {

/// Checks a copy on a queue of `context_device` before anything is enqueued. Both sides must lie in
/// their memories. The queue must be able to access these by kernels, or, if the copy is one run of
/// bytes, by memcpy, which is several times faster and also moves them between devices of one
/// context. Throws SyclError ERR_OUT_OF_BOUNDS, ERR_POINTER_UNKNOWN, ERR_NOT_ACCESSIBLE, and what
/// validate() throws.
void CheckCopy(const ContextDevice& context_device, const StridedCopy& copy, SyclMemory& target,
               SyclMemory& origin);

}  // namespace array_interface::sycl
