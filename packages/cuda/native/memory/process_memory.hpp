#pragma once

#include <memory>

#include "memory/block_table.hpp"
#include "memory/cuda_allocation.hpp"
#include "memory/reclaimer.hpp"

namespace array_interface::cuda {

/// What gives memory of all threads back. Never destroyed.
Reclaimer& ProcessReclaimer();

/// Memory of ours of all threads. Never destroyed.
BlockTable& ProcessBlocks();

/// Memory of ours as a block that others find by its addresses.
std::shared_ptr<Block> MakeBlock(std::unique_ptr<CudaAllocation> allocation);

/// What was allocated for a block; null for a stranger's memory.
inline CudaAllocation* AllocationOf(const Block& block) {
  return static_cast<CudaAllocation*>(block.allocation());
}

}  // namespace array_interface::cuda
