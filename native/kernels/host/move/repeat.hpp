#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/layout/strided_copy.hpp"

namespace array_interface {

/// Returns the same copy without the axis that repeats each element next to itself. Elements are
/// read and converted once, and written `repeats` times. Long repeats stay an axis: they are rows.
StridedCopy with_repeats(StridedCopy copy);

/// Writes each of `count` units `times` times in succession. Source and destination may not
/// overlap.
void repeat(unsigned char* to, const unsigned char* from, std::uint32_t unit, std::size_t times,
            std::size_t count);

}  // namespace array_interface
