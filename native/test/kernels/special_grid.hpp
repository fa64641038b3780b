#pragma once

#include <cstdint>

#include "kernels/strided_copy.hpp"

/// Runs every launch that special_parts() makes of the copy, on row_copy.cl and tiled_copy.cl as
/// C++, item by item, with the constants that a device's compiler is given. Counts the units that
/// they are for; sets `has_tiles` where squares are among them.
std::uint64_t run_special(const array_interface::StridedCopy& copy, bool& has_tiles);
