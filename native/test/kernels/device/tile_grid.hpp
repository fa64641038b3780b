#pragma once

#include "kernels/layout/strided_copy.hpp"

/// Runs every launch that tile_part() makes of a copy of some elements, on tile_copy.cl as C++,
/// item by item, with the constants that a device's compiler is given.
void run_tiles(const array_interface::StridedCopy& copy);
