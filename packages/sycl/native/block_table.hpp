#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

  /// Runs `free`, which must not throw, and forgets the block, so that nobody sees it in between:
  /// memory that was given up, but is still there, under no name of ours.
  void End(std::uintptr_t pointer, const std::function<void()>& free);

  /// The block that an address lies in; null if none or if its owner gave it up.
  std::shared_ptr<Block> Find(std::uintptr_t address) const;

  /// Whether an address lies in a block whose owner gave it up, though it is still there.
  bool IsEnding(std::uintptr_t address) const;

  /// Blocks not yet given back to the runtime.
  std::size_t count() const;

 private:
  struct Entry {
    std::weak_ptr<Block> block;  ///< expired while the block ends
    std::size_t size = 0;
  };

  /// What is known of the block around an address, or null; with the lock held.
  const Entry* Around(std::uintptr_t address) const;

  mutable std::mutex mutex_;
  std::map<std::uintptr_t, Entry> blocks_;
};

}  // namespace array_interface::sycl
