#pragma once

#include "kernels/layout/strided_copy.hpp"

/// Runs every launch that tile_part() makes of a copy, item by item, on tile_copy.cl as C++, with
/// the constants that a device's compiler gets. The copy must not be empty.
void run_tiles(const array_interface::StridedCopy& copy);
