#include "memory/caching_allocator/free_list.hpp"

#include <iterator>
#include <limits>
#include <utility>

namespace array_interface {

FreeList::Key FreeList::KeyOf(const Entry& entry) {
  return {entry.allocation->kind(), entry.allocation->size(), entry.number};
}

void FreeList::Put(std::unique_ptr<Allocation> allocation) {
  const bool is_of_use = allocation->kept_at_most() > 0;
  const std::size_t footprint = allocation->footprint();
  by_age_.push_back({std::move(allocation), footprint, ++last_number_});
  bytes_ += footprint;
  if (is_of_use) by_size_.emplace(KeyOf(by_age_.back()), std::prev(by_age_.end()));
}

std::unique_ptr<Allocation> FreeList::Take(int kind, std::size_t size) {
  const auto after = by_size_.upper_bound({kind, size, std::numeric_limits<std::uint64_t>::max()});
  if (after == by_size_.begin()) return nullptr;
  const auto& [key, entry] = *std::prev(after);
  if (std::get<0>(key) != kind || std::get<1>(key) != size) return nullptr;
  return Remove(entry);
}

std::unique_ptr<Allocation> FreeList::TakeOldest() { return Remove(by_age_.begin()); }

std::unique_ptr<Allocation> FreeList::Remove(ByAge::iterator entry) {
  by_size_.erase(KeyOf(*entry));
  bytes_ -= entry->footprint;
  auto allocation = std::move(entry->allocation);
  by_age_.erase(entry);
  return allocation;
}

}  // namespace array_interface
