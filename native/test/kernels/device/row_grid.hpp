#pragma once

#include <cstdint>

#include "kernels/layout/strided_copy.hpp"

/// Runs every launch that row_parts() makes of the copy, on row_copy.cl as C++, item by item, with
/// the constants that a device's compiler is given. Counts the units that they are for.
std::uint64_t run_rows(const array_interface::StridedCopy& copy);
