#pragma once

#include "kernels/strided_copy.hpp"

namespace array_interface {

/// Copies at least one element, tile by tile, on the calling thread. `is_large`: the caches would
/// not hold the destination, so packed bytes go past them. Call validate() first.
void copy_in_tiles(const StridedCopy& copy, bool is_large);

}  // namespace array_interface
