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
  void Remove(std::uintptr_t pointer);

  /// The block that an address lies in; null if none or if its owner gave it up.
  std::shared_ptr<Block> Find(std::uintptr_t address) const;

  /// Whether an address lies in a block whose owner gave it up, though it is still there.
  bool IsEnding(std::uintptr_t address) const;

  /// Blocks not yet given back to the runtime.
  std::size_t count() const;

 private:
  /// The block around an address, given up or not.
  std::shared_ptr<Block> Around(std::uintptr_t address) const;

  mutable std::mutex mutex_;
  std::map<std::uintptr_t, std::weak_ptr<Block>> blocks_;
};

}  // namespace array_interface::sycl
