#include "address_space.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "settings.hpp"

namespace array_interface::cuda_simulator {
namespace {

constexpr int untouchable = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

std::size_t page_size() {
  static const std::size_t size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

bool AddressSpace::reserve(std::size_t needed) {
  const std::size_t copies = hidden_ ? 2 : 1;
  for (std::size_t size = std::max(settings().address_space, needed); size >= needed; size /= 2) {
    size = (size + page_size() - 1) / page_size() * page_size();
    void* start = mmap(nullptr, size * copies, PROT_NONE, untouchable, -1, 0);
    if (start != MAP_FAILED) {
      chunks_.push_back({reinterpret_cast<std::uintptr_t>(start), size, page_size()});
      return true;
    }
    if (size == needed) return false;
    if (size / 2 < needed) size = needed * 2;  // the last try is exactly what is needed
  }
  return false;
}

bool AddressSpace::take(std::size_t size, Region& region) {
  const std::size_t page = page_size();
  if (size == 0 || size > SIZE_MAX / 8) return false;
  const std::size_t whole = (size + page - 1) / page * page;
  std::lock_guard lock(mutex_);
  if (chunks_.empty() || chunks_.back().size - chunks_.back().next < whole + page) {
    if (!reserve(whole + 2 * page)) return false;
  }
  Chunk& chunk = chunks_.back();
  region.address = chunk.start + chunk.next;
  region.backing = reinterpret_cast<std::byte*>(region.address + (hidden_ ? chunk.size : 0));
  region.reserved = whole;
  if (mprotect(region.backing, whole, PROT_READ | PROT_WRITE) != 0) return false;
  chunk.next += whole + page;
  return true;
}

void AddressSpace::give_back(const Region& region) {
  mmap(region.backing, region.reserved, PROT_NONE, untouchable | MAP_FIXED, -1, 0);
}

bool AddressSpace::owns(std::uintptr_t address) {
  std::lock_guard lock(mutex_);
  return std::any_of(chunks_.begin(), chunks_.end(), [&](const Chunk& chunk) {
    return address >= chunk.start && address - chunk.start < chunk.size;
  });
}

AddressSpace& device_addresses() {
  static AddressSpace& space = *new AddressSpace(true);  // outlives every thread
  return space;
}

AddressSpace& host_addresses() {
  static AddressSpace& space = *new AddressSpace(false);  // outlives every thread
  return space;
}

}  // namespace array_interface::cuda_simulator
