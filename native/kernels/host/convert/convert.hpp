#pragma once

#include <cstddef>

#include "kernels/layout/element_type.hpp"

namespace array_interface {

/// Converts `count` contiguous elements. Source and destination may not overlap, and need no
/// alignment.
using ConvertRun = void (*)(unsigned char* to, const unsigned char* from, std::size_t count);

/// Returns the fastest converter that this machine supports. Returns nullptr if only the byte order
/// changes. `rounds`: floats that become integers are rounded to the nearest first, ties to even.
ConvertRun converter(ElementType to, ElementType from, bool rounds = false) noexcept;

/// Copies `count` numbers of `size` (2, 4 or 8) bytes to `to`, each with its bytes reversed. Source
/// and destination may not overlap.
void swap_bytes(unsigned char* to, const unsigned char* from, std::size_t size,
                std::size_t count) noexcept;

}  // namespace array_interface
