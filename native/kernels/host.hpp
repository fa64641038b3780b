#pragma once

#include <cstdint>

#include "kernels/convert_arguments.hpp"
#include "kernels/kernel_arguments.hpp"
#include "kernels/strided_copy.hpp"

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

/// Runs the whole grid of strided_copy_<unit>, built as C++, on the calling thread. It checks
/// nothing: rank must be 0 to 6, lengths positive, the count their product and below 2^31, and
/// `unit` one that kernel_name() knows.
void run_kernel(std::uint32_t unit, const KernelArguments& arguments) noexcept;

/// Runs the whole grid of convert. The conversion must be one that conversion_code() makes.
void run_kernel(const ConvertArguments& arguments) noexcept;

}  // namespace array_interface
