#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "memory/block.hpp"

namespace array_interface {

/// This library's memory by address, of all threads, from allocation to release. The table
/// identifies the block of a loan, and keeps freed memory from being taken for another library's.
class BlockTable {
 public:
  /// Adds a block that has an allocation. Call it before other threads can see the block.
  void Add(const std::shared_ptr<Block>& block);
  /// Removes released memory. Must not be called earlier: memory that its owner gave up, but that
  /// is still allocated, must not be taken for another library's. By the time of the call, a new
  /// allocation may have the same addresses.
  void Remove(const Allocation& allocation);

  /// Returns the block that contains an address. Null if there is none, or it has no pin any more.
  std::shared_ptr<Block> Find(std::uint64_t address) const;
  /// Returns the block that contains an address as long as anything keeps it, pending work
  /// included.
  std::shared_ptr<Block> FindHeld(std::uint64_t address) const;
  /// Whether an address is in this library's memory, given up but not freed yet.
  bool IsGivenUp(std::uint64_t address) const;
  /// How many blocks have not been released.
  std::size_t count() const;

 private:
  struct Entry {
    std::weak_ptr<Block> block;
    const Allocation* allocation = nullptr;
    std::size_t size = 0;
  };

  const Entry* Around(std::uint64_t address) const;

  mutable std::mutex mutex_;
  std::map<std::uint64_t, Entry> entries_;
};

}  // namespace array_interface
