#pragma once

#include <cstdint>

#include "kernels/launch/block_arguments.hpp"

namespace array_interface {

/// Runs the whole grid of block_copy (block_copy.cl) for one conversion, built as C++, on the
/// calling thread. Checks nothing: the requirements of run_kernel() (run_kernel.hpp) apply, and
/// each tile must fit (block_launch.hpp).
void run_blocks(const BlockArguments& arguments, std::uint32_t conversion) noexcept;

}  // namespace array_interface
