#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/layout/strided_copy.hpp"

namespace array_interface {

/// The same copy, in which an axis that repeats each element beside itself is no axis: elements are
/// read and converted once, and written `repeats` times. Long ones stay: they are rows.
StridedCopy with_repeats(StridedCopy copy);

/// Puts each of `count` units `times` times in a row. The two places may not overlap.
void repeat(unsigned char* to, const unsigned char* from, std::uint32_t unit, std::size_t times,
            std::size_t count);

}  // namespace array_interface
