#pragma once

#include <memory>

#include "base/cuda_abi.hpp"
#include "base/handle_table.hpp"

namespace array_interface::cuda_simulator {

/// Memory without an address: cuMemCreate. It is freed with the last handle and the last mapping.
struct PhysicalMemory {
  PhysicalMemory() = default;
  PhysicalMemory(const PhysicalMemory&) = delete;
  PhysicalMemory& operator=(const PhysicalMemory&) = delete;
  ~PhysicalMemory();

  CUmemAllocationProp properties{};
  std::size_t size = 0;
  int file = -1;         ///< mapped here, and passed to other processes
  bool counted = false;  ///< against its device's memory
};

/// Allocates memory, every byte 0xCB. Returns null if there is not enough.
std::shared_ptr<PhysicalMemory> make_physical(const CUmemAllocationProp& properties,
                                              std::size_t size);

/// Imports another process's memory from a descriptor. Returns null if it is no such memory.
std::shared_ptr<PhysicalMemory> import_physical(int file);

using PhysicalMemories = HandleTable<PhysicalMemory, CUmemGenericAllocationHandle>;

inline PhysicalMemories& physical_memories() {
  return immortal<PhysicalMemories, 0x75, CUDA_ERROR_INVALID_VALUE>();
}

}  // namespace array_interface::cuda_simulator
