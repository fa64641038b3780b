#pragma once

#include "kernels/strided_copy.hpp"

namespace array_interface {

/// Copies some elements tile by tile, on the calling thread. `is_large`: the destination would not
/// stay in the caches, and what is packed goes past them. Call validate() first.
void copy_in_tiles(const StridedCopy& copy, bool is_large);

}  // namespace array_interface
