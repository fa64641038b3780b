#pragma once

#include <cstdint>

#include "kernels/convert_arguments.hpp"
#include "kernels/kernel_arguments.hpp"
#include "kernels/strided_copy.hpp"

namespace array_interface {

/// Most threads of a copy.
inline constexpr std::uint32_t maximum_threads = 1024;

/// Copies and returns when the bytes are there. Any address and stride will do, aligned or not.
/// What is one run on both sides is one memmove, and each long run is copied by itself; everything
/// else goes tile by tile through the caches. Works on the calling thread, and on up to `threads` -
/// 1 others that live as long as the call: fewer for little memory, or where the system has no
/// more. Throws std::invalid_argument as validate() does, or for other than 1 to maximum_threads
/// threads, before anything is written; the pointers are believed. Throws std::bad_alloc where
/// there is no memory for a tile, and part of the destination may have been written then.
void strided_copy(const StridedCopy& copy, std::uint32_t threads = 1);

/// Runs the whole grid of strided_copy_<unit>, built as C++, on the calling thread. Nothing is
/// checked: rank must be 0 to 6, lengths positive, the count their product and below 2^31, `unit`
/// one that kernel_name() knows.
void run_kernel(std::uint32_t unit, const KernelArguments& arguments) noexcept;

/// The same of convert; the conversion must be one that conversion_code() makes.
void run_kernel(const ConvertArguments& arguments) noexcept;

}  // namespace array_interface
