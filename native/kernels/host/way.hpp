#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/layout/strided_copy.hpp"

namespace array_interface {

/// How a copy of at least one element is performed.
enum class Way : std::uint8_t {
  kNothing,  ///< source and destination are the same elements, unchanged
  kRun,      ///< one run of bytes on both sides
  kTiles,
};
Way way_of(const StridedCopy& copy);

/// How much a copy writes. Caches hold little of a large destination, and nothing of a vast one.
enum class Volume : std::uint8_t { kSmall, kLarge, kVast };
Volume volume_of(const StridedCopy& copy);

/// Returns how many threads are worthwhile, at most `most`. Throws std::invalid_argument for a
/// number outside 1 to maximum_threads.
std::size_t threads_for(const StridedCopy& copy, std::uint32_t most);

}  // namespace array_interface
