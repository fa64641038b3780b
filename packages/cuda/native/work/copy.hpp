#pragma once

#include <cstddef>

#include "driver/abi.hpp"
#include "kernels/layout/strided_copy.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// Gives `stream` a copy of one run of bytes between any memories that the driver knows. Their
/// devices need not reach one another. Throws DriverError.
void CopyRun(const Stream& stream, DevicePointer destination, DevicePointer source,
             std::size_t size);

/// Gives `stream` a copy between two layouts that kernels of its context reach. Compiles only
/// missing kernels for every copy, and has faster ones compiled in the background. Throws
/// DriverError, std::invalid_argument for a layout that no kernel can do.
void CopyStrided(const Stream& stream, const StridedCopy& copy);

}  // namespace array_interface::cuda
