#include "pages.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <new>

#include "poison.hpp"

namespace array_interface {

namespace {

/// Maximum of free bytes that stay mapped, like glibc malloc's trim threshold.
constexpr std::size_t kKept = std::size_t{64} << 20;
/// Larger ranges are unmapped immediately.
constexpr std::size_t kKeptEach = kKept / 2;
/// Addresses that are reserved at once. They cost only one line in the table of mappings.
constexpr std::size_t kRegion = std::size_t{64} << 30;
/// The same, if the process's address space is limited.
constexpr std::size_t kLimitedRegion = std::size_t{64} << 20;

std::byte* At(std::uintptr_t start) { return reinterpret_cast<std::byte*>(start); }

std::size_t RegionSize() {
  struct rlimit limit {};
  const bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return is_limited ? kLimitedRegion : kRegion;
}

}  // namespace

void FreeRanges::Add(std::uintptr_t start, std::size_t size) {
  const auto after = by_start_.lower_bound(start);
  if (after != by_start_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == start) {
      start = before->first;
      size += before->second;
      by_size_.erase({before->second, before->first});
      by_start_.erase(before);
    }
  }
  if (after != by_start_.end() && start + size == after->first) {
    size += after->second;
    by_size_.erase({after->second, after->first});
    by_start_.erase(after);
  }
  by_start_[start] = size;
  by_size_.insert({size, start});
}

std::uintptr_t FreeRanges::Take(std::size_t size, std::size_t alignment) {
  for (auto at = by_size_.lower_bound({size, 0}); at != by_size_.end(); ++at) {
    const auto [room, low] = *at;
    const std::uintptr_t start = (low + alignment - 1) & ~(alignment - 1);
    const std::uintptr_t high = low + room;
    if (start > high || high - start < size) continue;
    by_size_.erase(at);
    by_start_.erase(low);
    if (start > low) Add(low, start - low);
    if (start + size < high) Add(start + size, high - start - size);
    return start;
  }
  return 0;
}

std::pair<std::uintptr_t, std::size_t> FreeRanges::TakeLargest() {
  if (by_size_.empty()) return {0, 0};
  const auto [size, start] = *by_size_.rbegin();
  by_size_.erase(std::prev(by_size_.end()));
  by_start_.erase(start);
  return {start, size};
}

Pages& Pages::Get() {
  static auto& pages = *new Pages;
  return pages;
}

std::size_t Pages::Whole(std::size_t size) {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (size + page - 1) / page * page;
}

std::byte* Pages::Take(std::size_t size, std::size_t alignment) {
  {
    const std::lock_guard lock(mutex_);
    if (const std::uintptr_t start = kept_.Take(size, alignment)) {
      kept_size_ -= size;
      Unpoison(At(start), size);
      return At(start);
    }
  }
  const std::uintptr_t start = TakeReserved(size, alignment);
  return start == 0 ? nullptr : Open(start, size);
}

std::uintptr_t Pages::TakeReserved(std::size_t size, std::size_t alignment) {
  const std::lock_guard lock(mutex_);
  std::uintptr_t start = reserved_.Take(size, alignment);
  if (start == 0 && Reserve(size + alignment)) start = reserved_.Take(size, alignment);
  return start;
}

// From here on the system counts the pages, and refuses what it cannot commit.
std::byte* Pages::Open(std::uintptr_t start, std::size_t size) {
  do {
    if (mprotect(At(start), size, PROT_READ | PROT_WRITE) == 0) {
      Unpoison(At(start), size);
      return At(start);
    }
  } while (DropKept(0));
  const std::lock_guard lock(mutex_);
  reserved_.Add(start, size);
  return nullptr;
}

// The first and the last page are never used, so that another library's overrun cannot reach this
// memory.
bool Pages::Reserve(std::size_t size) {
  const std::size_t page = Whole(1);
  const std::size_t room = std::max(Whole(size) + 2 * page, RegionSize());
  void* const made = mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) return false;
  const auto start = reinterpret_cast<std::uintptr_t>(made);
  regions_.emplace_back(start, room);
  reserved_.Add(start + page, room - 2 * page);
  return true;
}

// Leaks the pages if there is no memory to record them as free.
void Pages::Free(std::byte* pages, std::size_t size) noexcept try {
  if (size > kKeptEach) return Drop(pages, size);
  {
    const std::lock_guard lock(mutex_);
    kept_.Add(reinterpret_cast<std::uintptr_t>(pages), size);
    kept_size_ += size;
    if (kept_size_ <= kKept) return;
  }
  DropKept(kKept);
} catch (const std::bad_alloc&) {
}

// Runs without the lock, since unmapping many pages takes time. If the system refuses, the pages
// leak, and their addresses stay reserved.
void Pages::Drop(std::byte* pages, std::size_t size) noexcept try {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  if (mmap(pages, size, PROT_NONE, kFlags, -1, 0) == MAP_FAILED) return;
  const std::lock_guard lock(mutex_);
  reserved_.Add(reinterpret_cast<std::uintptr_t>(pages), size);
} catch (const std::bad_alloc&) {
}

/// Returns whether any pages were kept.
bool Pages::DropKept(std::size_t most) {
  std::vector<std::pair<std::uintptr_t, std::size_t>> excess = Excess(most);
  for (const auto& [start, size] : excess) Drop(At(start), size);
  return !excess.empty();
}

std::vector<std::pair<std::uintptr_t, std::size_t>> Pages::Excess(std::size_t most) {
  std::vector<std::pair<std::uintptr_t, std::size_t>> excess;
  const std::lock_guard lock(mutex_);
  while (kept_size_ > most) {
    excess.push_back(kept_.TakeLargest());
    kept_size_ -= excess.back().second;
  }
  return excess;
}

bool Pages::Has(std::uintptr_t address) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(regions_.begin(), regions_.end(), [&](const auto& region) {
    return address >= region.first && address - region.first < region.second;
  });
}

}  // namespace array_interface
