#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace array_interface {

/// Ranges of addresses that are free, none beside another. Not for several threads at once.
class FreeRanges {
 public:
  /// Joins the range with those beside it.
  void Add(std::uintptr_t start, std::size_t size);
  /// Takes `size` addresses at a multiple of `alignment`, a power of two, from the smallest range
  /// that has them. 0: none has.
  std::uintptr_t Take(std::size_t size, std::size_t alignment);
  /// Takes the largest range. Its size is 0 where there is none.
  std::pair<std::uintptr_t, std::size_t> TakeLargest();

 private:
  std::map<std::uintptr_t, std::size_t> by_start_;
  std::set<std::pair<std::size_t, std::uintptr_t>> by_size_;
};

/// Whole pages of this process at addresses that never become another library's: free ones are kept
/// for the next, or given back to the system without their addresses. From any thread.
class Pages {
 public:
  /// Those of the process. Never destroyed, since memory of worker threads may outlive its statics.
  static Pages& Get();
  /// `size`, rounded up to whole pages.
  static std::size_t Whole(std::size_t size);

  /// Pages that may be read and written, with any contents. `size` is whole pages. Null: there are
  /// none.
  std::byte* Take(std::size_t size, std::size_t alignment);
  /// Frees them. Some stay with the process, warm.
  void Free(std::byte* pages, std::size_t size) noexcept;
  /// Frees them, and gives the system what is mapped there, whatever it is.
  void Drop(std::byte* pages, std::size_t size) noexcept;
  /// Whether an address is one of ours, free or not.
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
