#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace array_interface {

/// Free ranges of addresses, no two of them adjacent. Not thread-safe.
class FreeRanges {
 public:
  /// Adds a range, and merges it with adjacent ones.
  void Add(std::uintptr_t start, std::size_t size);
  /// Takes `size` addresses at a multiple of `alignment`, a power of two, from the smallest range
  /// that fits. Returns 0 if none fits.
  std::uintptr_t Take(std::size_t size, std::size_t alignment);
  /// Takes the largest range. Its size is 0 if there is none.
  std::pair<std::uintptr_t, std::size_t> TakeLargest();

 private:
  std::map<std::uintptr_t, std::size_t> by_start_;
  std::set<std::pair<std::size_t, std::uintptr_t>> by_size_;
};

/// Whole pages of this process, at addresses that never become another library's. Free pages are
/// kept for reuse, or returned to the system while their addresses stay reserved. Safe to call from
/// any thread.
class Pages {
 public:
  /// The pages of the process. Never destroyed, since memory of worker threads may outlive its
  /// statics.
  static Pages& Get();
  /// Rounds `size` up to whole pages.
  static std::size_t Whole(std::size_t size);

  /// Returns readable and writable pages, uninitialised. `size` must be whole pages. Null if there
  /// are none.
  std::byte* Take(std::size_t size, std::size_t alignment);
  /// Frees pages. Some of them stay mapped for reuse.
  void Free(std::byte* pages, std::size_t size) noexcept;
  /// Frees pages, and unmaps whatever is mapped there.
  void Drop(std::byte* pages, std::size_t size) noexcept;
  /// True if an address is one of this package's, used or free.
  bool Has(std::uintptr_t address) const;

 private:
  bool Reserve(std::size_t size);
  std::byte* Open(std::uintptr_t start, std::size_t size);
  std::uintptr_t TakeReserved(std::size_t size, std::size_t alignment);
  /// Takes kept pages until at most `most` bytes are kept.
  std::vector<std::pair<std::uintptr_t, std::size_t>> Excess(std::size_t most);
  bool DropKept(std::size_t most);

  mutable std::mutex mutex_;
  std::vector<std::pair<std::uintptr_t, std::size_t>> regions_;
  FreeRanges kept_;
  std::size_t kept_size_ = 0;
  FreeRanges reserved_;
};

}  // namespace array_interface
