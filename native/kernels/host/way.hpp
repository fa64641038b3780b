#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/strided_copy.hpp"

namespace array_interface {

/// How a copy of some elements is done.
enum class Way : std::uint8_t {
  kNothing,  ///< both sides are the same elements, which stay what they are
  kRun,      ///< one run of bytes on both sides
  kTiles,
};
Way way_of(const StridedCopy& copy);

/// Whether the destination is written past the caches, which it would not stay in.
bool is_large(const StridedCopy& copy);

/// How many threads of at most so many are worth it. Throws std::invalid_argument for other than 1
/// to maximum_threads.
std::size_t threads_for(const StridedCopy& copy, std::uint32_t most);

}  // namespace array_interface
