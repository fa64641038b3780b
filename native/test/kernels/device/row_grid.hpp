#pragma once

#include <cstdint>

#include "kernels/layout/strided_copy.hpp"

/// Runs every launch that row_parts() makes of the copy, item by item, on row_copy.cl as C++, with
/// the constants that a device's compiler gets. Returns the number of units that the launches copy.
std::uint64_t run_rows(const array_interface::StridedCopy& copy);
