#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

#include "allocation_table.hpp"
#include "nearby.hpp"

namespace array_interface::cuda_simulator {

/// What malloc and free of kernels use: blocks in one allocation of a context, with gaps between
/// them that nobody may touch. Thread-safe.
class DeviceHeap {
 public:
  /// Takes all of the heap's memory. Throws Failure OUT_OF_MEMORY.
  DeviceHeap(Context& context, CUdevice device, std::size_t size);

  /// Returns the address of `size` bytes, a multiple of 16; 0 if there are not enough. What was
  /// released is used again only when nothing else is left.
  std::uint64_t allocate(std::size_t size);

  /// Returns false if no block begins at the address.
  bool release(std::uint64_t address);

  bool contains(std::uint64_t address) const;

  /// Returns where the bytes are, or null if they are not all in one block.
  std::byte* find(std::uint64_t address, std::size_t size);

  /// Says where a range of the heap is that is not all in one block, or an address where no block
  /// begins: in a block, also one that was freed, or how far from the nearest.
  std::string describe(std::uint64_t address, std::size_t size);

 private:
  bool fits(std::size_t offset, std::size_t size) const;
  void forget_freed(std::size_t offset, std::size_t size);

  const AllocationPtr memory_;
  std::mutex mutex_;
  Ranges blocks_;          // by offset
  Ranges freed_;           // as far as they are not used again
  std::size_t fresh_ = 0;  // what follows was never used
};

}  // namespace array_interface::cuda_simulator
