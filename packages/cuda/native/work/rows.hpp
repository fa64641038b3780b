#pragma once

#include "kernels/layout/strided_copy.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// Gives `stream` a copy of long rows at even distances, in two or three dimensions, as one copy of
/// the driver. False, with nothing enqueued: the layout is not of this kind, or the driver refuses
/// it. It reaches all memory that the driver knows, not only what kernels reach. Throws
/// DriverError.
bool CopyRows(const Stream& stream, const StridedCopy& copy);

}  // namespace array_interface::cuda
