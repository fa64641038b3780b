#pragma once

#include <memory>

#include "memory/block_table.hpp"
#include "memory/cuda_allocation.hpp"
#include "memory/process_allocator.hpp"

namespace array_interface::cuda {

/// This library's blocks of all threads, by address. Never destroyed.
BlockTable& ProcessBlocks();

/// Creates a block and adds it to ProcessBlocks().
std::shared_ptr<Block> MakeBlock(std::unique_ptr<CudaAllocation> allocation);

/// Returns the allocation of a block. Null for another library's memory.
inline CudaAllocation* AllocationOf(const Block& block) {
  return static_cast<CudaAllocation*>(block.allocation());
}

}  // namespace array_interface::cuda
