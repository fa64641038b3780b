#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <tuple>

#include "memory/allocation.hpp"

namespace array_interface {

/// Free allocations in the order of their age. Those that may be used again are found by kind and
/// size. No call iterates over all of them. Not thread-safe.
class FreeList {
 public:
  void Put(std::unique_ptr<Allocation> allocation);
  /// Takes the last one that was put of this kind and size. Null if there is none.
  std::unique_ptr<Allocation> Take(int kind, std::size_t size);
  /// Takes the first one that was put, of all in the list. The list must not be empty.
  std::unique_ptr<Allocation> TakeOldest();

  bool is_empty() const { return by_age_.empty(); }
  std::size_t count() const { return by_age_.size(); }
  /// Bytes of the device, as the sum of footprints.
  std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::unique_ptr<Allocation> allocation;
    std::size_t footprint;
    std::uint64_t number;
  };
  using ByAge = std::list<Entry>;
  using Key = std::tuple<int, std::size_t, std::uint64_t>;

  static Key KeyOf(const Entry& entry);
  std::unique_ptr<Allocation> Remove(ByAge::iterator entry);

  ByAge by_age_;
  std::map<Key, ByAge::iterator> by_size_;  ///< of one kind and size, the oldest first
  std::size_t bytes_ = 0;
  std::uint64_t last_number_ = 0;
};

}  // namespace array_interface
