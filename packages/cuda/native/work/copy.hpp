#pragma once

#include <cstddef>

#include "driver/abi.hpp"
#include "kernels/layout/strided_copy.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// Enqueues on `stream` a copy of one contiguous run of bytes between any memories that the driver
/// knows. Their devices need no peer access. Throws DriverError.
void EnqueueMemcpy(const Stream& stream, DevicePointer destination, DevicePointer source,
                   std::size_t size);

/// Enqueues on `stream` a copy between two layouts that kernels of its context can access, or, if
/// it is one run of bytes, the driver. Compiles only missing general kernels, and has faster ones
/// compiled in the background. Throws DriverError, and std::invalid_argument for a layout that no
/// kernel supports.
void CopyStrided(const Stream& stream, const StridedCopy& copy);

}  // namespace array_interface::cuda
