#include "address_space.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "base/settings.hpp"
#include "shared_file.hpp"

namespace array_interface::cuda_simulator {
namespace {

constexpr int untouchable = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

std::size_t page_size() {
  static const std::size_t size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

std::size_t whole_pages(std::size_t size) {
  return (size + page_size() - 1) / page_size() * page_size();
}

/// Replaces the memory behind addresses with an inaccessible part of `file`, or with none. If the
/// system cannot, at least makes the addresses inaccessible.
void empty(std::byte* start, std::size_t size, int file = -1, std::size_t offset = 0) {
  const int flags = (file < 0 ? untouchable : MAP_SHARED | MAP_NORESERVE) | MAP_FIXED;
  if (mmap(start, size, PROT_NONE, flags, file, static_cast<off_t>(offset)) == MAP_FAILED) {
    mprotect(start, size, PROT_NONE);
  }
}

/// Maps a sparse file of the same size at the addresses, so that other processes can map parts of
/// it. If the system has no such files, returns -1 and leaves the addresses private.
int map_file(std::byte* start, std::size_t size) {
  const int file = make_shared_file(memory_file, size);
  if (file < 0) return -1;
  const int flags = MAP_SHARED | MAP_FIXED | MAP_NORESERVE;
  if (mmap(start, size, PROT_NONE, flags, file, 0) != MAP_FAILED) return file;
  close(file);
  empty(start, size);
  return -1;
}

}  // namespace

std::size_t distance_after(std::size_t size) { return whole_pages(size) + page_size(); }

bool AddressSpace::reserve(std::size_t needed) {
  const std::size_t copies = hidden_ ? 2 : 1;
  for (std::size_t size = std::max(settings().address_space, needed); size >= needed; size /= 2) {
    size = whole_pages(size);
    void* start = mmap(nullptr, size * copies, PROT_NONE, untouchable, -1, 0);
    if (start != MAP_FAILED) {
      const int file = hidden_ ? map_file(static_cast<std::byte*>(start) + size, size) : -1;
      chunks_.push_back({reinterpret_cast<std::uintptr_t>(start), size, page_size(), file});
      return true;
    }
    if (size == needed) return false;
    if (size / 2 < needed) size = needed * 2;  // the last attempt takes exactly the needed size
  }
  return false;
}

/// Must be called with the lock held.
bool AddressSpace::next_addresses(std::size_t whole, std::size_t alignment, Region& region) {
  const std::size_t page = page_size();
  const auto padding = [&](const Chunk& chunk) {
    return -(chunk.start + chunk.next) & (std::max(alignment, page) - 1);
  };
  if (chunks_.empty() ||
      chunks_.back().size - chunks_.back().next < whole + page + padding(chunks_.back())) {
    if (!reserve(whole + 2 * page + alignment)) return false;
  }
  Chunk& chunk = chunks_.back();
  chunk.next += padding(chunk);
  region.address = chunk.start + chunk.next;
  region.backing = reinterpret_cast<std::byte*>(region.address + (hidden_ ? chunk.size : 0));
  region.reserved = whole;
  region.file = chunk.file;
  region.offset = chunk.next;
  chunk.next += whole + page;
  return true;
}

bool AddressSpace::take(std::size_t size, Region& region) {
  if (size == 0 || size > SIZE_MAX / 8) return false;
  std::lock_guard lock(mutex_);
  return next_addresses(whole_pages(size), page_size(), region) &&
         mprotect(region.backing, region.reserved, PROT_READ | PROT_WRITE) == 0;
}

bool AddressSpace::take_view(std::size_t size, int file, std::size_t offset, Region& region) {
  if (!take_addresses(size, page_size(), region)) return false;
  return mmap(region.backing, region.reserved, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
              static_cast<off_t>(offset)) != MAP_FAILED;
}

bool AddressSpace::take_addresses(std::size_t size, std::size_t alignment, Region& region) {
  if (size == 0 || size > SIZE_MAX / 8) return false;
  std::lock_guard lock(mutex_);
  if (!next_addresses(whole_pages(size), alignment, region)) return false;
  region.file = -1;
  return true;
}

/// Restores what the view replaced. Otherwise each view would leave the process with more mappings,
/// whose number is limited.
void AddressSpace::end_view(const Region& region) {
  const std::lock_guard lock(mutex_);
  for (const Chunk& chunk : chunks_) {
    const std::size_t offset = region.address - chunk.start;
    if (offset < chunk.size) return empty(region.backing, region.reserved, chunk.file, offset);
  }
}

void AddressSpace::give_back(const Region& region) {
  if (region.file < 0) return end_view(region);
  mprotect(region.backing, region.reserved, PROT_NONE);
  fallocate(region.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
            static_cast<off_t>(region.offset), static_cast<off_t>(region.reserved));
}

bool AddressSpace::owns(std::uintptr_t address) {
  std::lock_guard lock(mutex_);
  return std::any_of(chunks_.begin(), chunks_.end(), [&](const Chunk& chunk) {
    return address >= chunk.start && address - chunk.start < chunk.size;
  });
}

}  // namespace array_interface::cuda_simulator
