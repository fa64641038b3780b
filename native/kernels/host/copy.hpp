#pragma once

#include <cstdint>

#include "kernels/layout/strided_copy.hpp"

namespace array_interface {

/// Maximum number of threads of a copy.
inline constexpr std::uint32_t maximum_threads = 1024;

/// Copies, and returns once all bytes are written. Accepts any address and stride, aligned or not.
/// A single run on both sides is one memmove, and each long run is copied by itself. Everything
/// else is copied tile by tile through the caches. Works on the calling thread and on up to
/// `threads` - 1 others, which end before it returns. Uses fewer for little memory, or if the
/// system cannot start as many. Throws std::invalid_argument as validate() does, or for a number of
/// threads outside 1 to maximum_threads, before anything is written. Does not check the pointers.
/// Throws std::bad_alloc if there is no memory for a tile; part of the destination may have been
/// written by then.
void strided_copy(const StridedCopy& copy, std::uint32_t threads = 1);

}  // namespace array_interface
