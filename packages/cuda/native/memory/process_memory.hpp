#pragma once

#include <memory>

#include "memory/block_table.hpp"
#include "memory/caching_allocator.hpp"
#include "memory/cuda_allocation.hpp"

namespace array_interface::cuda {

/// The caching allocator of all threads' memory. Never destroyed.
CachingAllocator& ProcessReclaimer();

/// Our memory of all threads. Never destroyed.
BlockTable& ProcessBlocks();

/// A block of our memory, which others find by its addresses.
std::shared_ptr<Block> MakeBlock(std::unique_ptr<CudaAllocation> allocation);

/// The allocation of a block. Null for another library's memory.
inline CudaAllocation* AllocationOf(const Block& block) {
  return static_cast<CudaAllocation*>(block.allocation());
}

}  // namespace array_interface::cuda
