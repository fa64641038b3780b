#pragma once

#include <memory>

#include "base/cuda_abi.hpp"
#include "base/handle_table.hpp"

namespace array_interface::cuda_simulator {

/// Memory without an address: cuMemCreate. It goes with the last handle and the last mapping.
struct PhysicalMemory {
  PhysicalMemory() = default;
  PhysicalMemory(const PhysicalMemory&) = delete;
  PhysicalMemory& operator=(const PhysicalMemory&) = delete;
  ~PhysicalMemory();

  CUmemAllocationProp properties{};
  std::size_t size = 0;
  int file = -1;         ///< what is mapped, and what other processes get
  bool counted = false;  ///< against its device's memory
};

/// New memory, every byte 0xCB. Null: there is not enough.
std::shared_ptr<PhysicalMemory> make_physical(const CUmemAllocationProp& properties,
                                              std::size_t size);

/// Memory of another process, from a descriptor. Null: it is no such memory.
std::shared_ptr<PhysicalMemory> import_physical(int file);

HandleTable<PhysicalMemory>& physical_memories();

}  // namespace array_interface::cuda_simulator
