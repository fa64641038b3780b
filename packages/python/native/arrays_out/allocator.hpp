#pragma once

#include "dlpack.h"

namespace array_interface {

/// DLPackManagedTensorAllocator for host memory: a tensor in C order, with elements of any value.
/// Calls no Python, so the thread need not be attached. Refuses with BufferError and MemoryError.
int AllocateTensor(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_context,
                   void (*set_error)(void* context, const char* kind, const char* message));

}  // namespace array_interface
