#pragma once

#include <cstddef>

#include "allocation_table.hpp"

namespace array_interface::cuda_simulator {

/// Memory of a node, at the same address in each launch. It ends with the last graph that has the
/// node.
class GraphMemory {
 public:
  explicit GraphMemory(AllocationPtr its_memory);
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;
  ~GraphMemory();

  const AllocationPtr memory;
};

/// How many bytes the nodes of all graphs have on a device.
struct GraphMemoryUse {
  std::size_t now = 0;
  std::size_t used_high = 0;      ///< the most since it was reset
  std::size_t reserved_high = 0;  ///< the same: nothing is reserved beyond what is used
};

GraphMemoryUse graph_memory_use(CUdevice device);

/// Lets a high mark of a device begin anew.
void reset_graph_memory(CUdevice device, std::size_t GraphMemoryUse::*mark);

}  // namespace array_interface::cuda_simulator
