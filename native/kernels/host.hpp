#pragma once

#include <cstdint>

#include "kernels/convert_arguments.hpp"
#include "kernels/kernel_arguments.hpp"
#include "kernels/strided_copy.hpp"

namespace array_interface {

/// Copies on the calling thread and returns when the bytes are there. Any address and stride will
/// do, aligned or not. Contiguous copies and contiguous inner runs are one memmove each; everything
/// else goes tile by tile through the first cache. Throws std::invalid_argument as validate() does,
/// before anything is written; the pointers are believed.
void strided_copy(const StridedCopy& copy);

/// Runs the whole grid of strided_copy_<unit>, built as C++, on the calling thread. Nothing is
/// checked: rank must be 0 to 6, lengths positive, the count their product and below 2^31, `unit`
/// one that kernel_name() knows.
void run_kernel(std::uint32_t unit, const KernelArguments& arguments) noexcept;

/// The same of convert; the conversion must be one that conversion_code() makes.
void run_kernel(const ConvertArguments& arguments) noexcept;

}  // namespace array_interface
