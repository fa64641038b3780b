#pragma once

#include <cstddef>

#include "driver/abi.hpp"
#include "kernels/strided_copy.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// Gives `stream` a copy of one run of bytes, in whatever memory the driver knows, of devices that
/// need not reach one another. Throws DriverError.
void CopyRun(const Stream& stream, DevicePointer destination, DevicePointer source,
             std::size_t size);

/// Gives `stream` a copy between two layouts that kernels of its context reach. Compiles none but
/// those for every copy, where they are missing; has those that are faster compiled in the
/// background. Throws DriverError, std::invalid_argument for a layout that no kernel can do.
void CopyStrided(const Stream& stream, const StridedCopy& copy);

}  // namespace array_interface::cuda
