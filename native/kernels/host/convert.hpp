#pragma once

#include <cstddef>

#include "kernels/element_type.hpp"

namespace array_interface {

/// Converts `count` elements that lie one after another. The two places may not overlap; any
/// address will do.
using ConvertRun = void (*)(unsigned char* to, const unsigned char* from, std::size_t count);

/// The fastest that this machine runs; nullptr where nothing changes but the order of bytes.
ConvertRun converter(ElementType to, ElementType from) noexcept;

/// Puts `count` numbers of `size` (2, 4 or 8) bytes in `to`, the bytes of each reversed. The two
/// places may not overlap.
void swap_bytes(unsigned char* to, const unsigned char* from, std::size_t size,
                std::size_t count) noexcept;

}  // namespace array_interface
