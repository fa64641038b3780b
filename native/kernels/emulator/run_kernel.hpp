#pragma once

#include <cstdint>

#include "kernels/launch/convert_arguments.hpp"
#include "kernels/launch/kernel_arguments.hpp"

namespace array_interface {

/// Runs the whole grid of strided_copy_<unit>, built as C++, on the calling thread. Checks nothing:
/// rank must be 0 to 6, lengths positive, the count their product and below 2^31, and `unit` one
/// that kernel_name() supports.
void run_kernel(std::uint32_t unit, const KernelArguments& arguments) noexcept;

/// Runs the whole grid of convert. The conversion must come from conversion_code().
void run_kernel(const ConvertArguments& arguments) noexcept;

}  // namespace array_interface
