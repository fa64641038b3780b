#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "memory/block.hpp"

namespace array_interface {

/// Memory of ours by address, of all threads, from its allocation to its release: so that a loan of
/// it is known as such, and memory that was given back is not taken for somebody else's.
class BlockTable {
 public:
  /// A block with an allocation. Before others know of it.
  void Add(const std::shared_ptr<Block>& block);
  /// Forgets memory that was released. Not earlier: what was given up, but is still there, is under
  /// no name of anybody else's either. The same addresses may be another's by then.
  void Remove(const Allocation& allocation);

  /// The block that an address lies in; null if none does or if its owner gave it up.
  std::shared_ptr<Block> Find(std::uint64_t address) const;
  /// The block that an address lies in as long as somebody holds it, be it by loans alone.
  std::shared_ptr<Block> FindHeld(std::uint64_t address) const;
  /// Whether an address lies in memory of ours that was given up and is still there.
  bool IsGivenUp(std::uint64_t address) const;
  /// How many are not released.
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
