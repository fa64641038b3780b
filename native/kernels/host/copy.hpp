#pragma once

#include <cstdint>

#include "kernels/layout/strided_copy.hpp"

namespace array_interface {

/// Most threads of a copy.
inline constexpr std::uint32_t maximum_threads = 1024;

/// Copies, and returns when the bytes are there. It takes any address and stride, aligned or not.
/// One run on both sides is one memmove, and each long run is copied by itself; everything else
/// goes tile by tile through the caches. It works on the calling thread, and on up to `threads` - 1
/// others that end with the call: fewer for little memory, or where the system gives fewer. Throws
/// std::invalid_argument as validate() does, or for a number of threads outside 1 to
/// maximum_threads, before anything is written. It does not check the pointers. Throws
/// std::bad_alloc without memory for a tile; then part of the destination may have been written.
void strided_copy(const StridedCopy& copy, std::uint32_t threads = 1);

}  // namespace array_interface
