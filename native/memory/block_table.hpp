#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "memory/block.hpp"

namespace array_interface {

/// Our memory by address, of all threads, from allocation to release. So a loan of it is
/// recognised, and memory that was given back is not taken for another library's.
class BlockTable {
 public:
  /// Adds a block with an allocation, before others know of it.
  void Add(const std::shared_ptr<Block>& block);
  /// Forgets released memory. Not earlier: memory that its owner gave up, but that is still there,
  /// must not be taken for another library's. The addresses may belong to a new allocation by then.
  void Remove(const Allocation& allocation);

  /// The block that an address lies in. Null: there is none, or nobody vouches for it any more.
  std::shared_ptr<Block> Find(std::uint64_t address) const;
  /// The block that an address lies in while anything holds it, pending work included.
  std::shared_ptr<Block> FindHeld(std::uint64_t address) const;
  /// Whether an address lies in memory of ours that was given up and that is still there.
  bool IsGivenUp(std::uint64_t address) const;
  /// How many blocks are not released.
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
