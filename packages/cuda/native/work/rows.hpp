#pragma once

#include "kernels/strided_copy.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// Gives `stream` a copy of long rows at even distances, in two or three dimensions, as the
/// driver's own copy of that kind; false, and nothing given, where the layout is not one or the
/// driver refuses it. Reaches what the driver knows, not only what kernels do. Throws DriverError.
bool CopyRows(const Stream& stream, const StridedCopy& copy);

}  // namespace array_interface::cuda
