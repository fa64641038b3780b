#include "memory/process_memory.hpp"

#include <utility>

namespace array_interface::cuda {

BlockTable& ProcessBlocks() {
  static auto& blocks = *new BlockTable();
  return blocks;
}

std::shared_ptr<Block> MakeBlock(std::unique_ptr<CudaAllocation> allocation) {
  auto block = Block::Of(ProcessAllocator(), std::move(allocation));
  ProcessBlocks().Add(block);
  return block;
}

}  // namespace array_interface::cuda
