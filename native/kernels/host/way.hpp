#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/layout/strided_copy.hpp"

namespace array_interface {

/// How a copy of some elements is done.
enum class Way : std::uint8_t {
  kNothing,  ///< both sides are the same elements, which stay what they are
  kRun,      ///< one run of bytes on both sides
  kTiles,
};
Way way_of(const StridedCopy& copy);

/// How much a copy writes. Caches hold little of what is large, and nothing of what is vast.
enum class Volume : std::uint8_t { kSmall, kLarge, kVast };
Volume volume_of(const StridedCopy& copy);

/// How many threads pay, at most `most`. Throws std::invalid_argument for a number outside 1 to
/// maximum_threads.
std::size_t threads_for(const StridedCopy& copy, std::uint32_t most);

}  // namespace array_interface
