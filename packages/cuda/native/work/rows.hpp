#pragma once

#include "kernels/layout/strided_copy.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// Enqueues on `stream` a 2D or 3D copy of long, evenly spaced rows as one driver copy. Returns
/// false, with nothing enqueued, if the layout is not of this kind or the driver refuses it. Works
/// for all memory that the driver knows, not only for memory that kernels can access. Throws
/// DriverError.
bool CopyRows(const Stream& stream, const StridedCopy& copy);

}  // namespace array_interface::cuda
