#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace array_interface::sycl {

class Block;

/// Every block that we allocated and have not given back, of all environments, by address. The
/// runtime itself has no range query.
class BlockTable {
 public:
  void Add(const std::shared_ptr<Block>& block);

  /// Forgets a block whose memory was given back. Not earlier: memory that was given up, but is
  /// still there, is under no name of anybody else's either. The same memory may be another
  /// block's by then.
  void Remove(const Block& block);

  /// The block that an address lies in; null if none or if its owner gave it up.
  std::shared_ptr<Block> Find(std::uintptr_t address) const;

  /// Whether an address lies in a block whose owner gave it up, though it is still there.
  bool IsEnding(std::uintptr_t address) const;

  /// Blocks not yet given back to the runtime.
  std::size_t count() const;

 private:
  struct Entry {
    std::weak_ptr<Block> block;  ///< expired while the block ends
    const Block* identity = nullptr;
    std::size_t size = 0;
  };

  /// What is known of the block around an address, or null; with the lock held.
  const Entry* Around(std::uintptr_t address) const;

  mutable std::mutex mutex_;
  std::map<std::uintptr_t, Entry> blocks_;
};

}  // namespace array_interface::sycl
