#pragma once

#include "kernels/host/way.hpp"
#include "kernels/layout/strided_copy.hpp"

namespace array_interface {

/// Copies at least one element, tile by tile, on the calling thread. `volume` is that of the whole
/// copy that this is a piece of. Call validate() first.
void copy_in_tiles(const StridedCopy& copy, Volume volume);

}  // namespace array_interface
