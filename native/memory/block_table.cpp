#include "memory/block_table.hpp"

#include <iterator>

namespace array_interface {

void BlockTable::Add(const std::shared_ptr<Block>& block) {
  const Allocation& allocation = *block->allocation();
  const std::uint64_t start = allocation.pointer();
  const std::lock_guard lock(mutex_);
  // The driver has just allocated this address range. So whatever was there was freed, and its
  // entry has not been removed yet.
  entries_.erase(entries_.lower_bound(start), entries_.lower_bound(start + allocation.size()));
  entries_[start] = {block, &allocation, allocation.size()};
}

void BlockTable::Remove(const Allocation& allocation) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(allocation.pointer());
  if (found != entries_.end() && found->second.allocation == &allocation) entries_.erase(found);
}

const BlockTable::Entry* BlockTable::Around(std::uint64_t address) const {
  const auto after = entries_.upper_bound(address);
  if (after == entries_.begin()) return nullptr;
  const auto& [start, entry] = *std::prev(after);
  return address - start < entry.size ? &entry : nullptr;
}

std::shared_ptr<Block> BlockTable::Find(std::uint64_t address) const {
  auto block = FindHeld(address);
  return block != nullptr && !block->given_up() ? block : nullptr;
}

std::shared_ptr<Block> BlockTable::FindHeld(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const Entry* const entry = Around(address);
  return entry != nullptr ? entry->block.lock() : nullptr;
}

bool BlockTable::IsGivenUp(std::uint64_t address) const {
  std::shared_ptr<Block> block;  // outlives the lock: destroying it may call this table
  const std::lock_guard lock(mutex_);
  const Entry* const entry = Around(address);
  if (entry == nullptr) return false;
  block = entry->block.lock();
  return block == nullptr || block->given_up();
}

std::size_t BlockTable::count() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace array_interface
