#pragma once

#include <cstddef>

#include "kernels/layout/element_type.hpp"

namespace array_interface {

/// Converts `count` elements that lie in a row. The two places may not overlap, and have any
/// address.
using ConvertRun = void (*)(unsigned char* to, const unsigned char* from, std::size_t count);

/// The fastest converter that this machine runs; nullptr where only the byte order changes.
ConvertRun converter(ElementType to, ElementType from) noexcept;

/// Puts `count` numbers of `size` (2, 4 or 8) bytes in `to`, each with its bytes reversed. The two
/// places may not overlap.
void swap_bytes(unsigned char* to, const unsigned char* from, std::size_t size,
                std::size_t count) noexcept;

}  // namespace array_interface
