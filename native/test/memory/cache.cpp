#include "memory/caching_allocator/cache.hpp"

#include <memory>

#include "device.hpp"
#include "sections.hpp"
#include "test/support/check.hpp"

using namespace array_interface;
using Counts = PaperAllocation::Counts;

namespace {

Counts counts;
constexpr std::size_t kLimit = 100;

std::unique_ptr<Allocation> Make(const void* device, std::size_t size, std::size_t limit = kLimit) {
  return std::make_unique<PaperAllocation>(counts, device, size, limit);
}

std::uint64_t PutOne(Cache& cache, const void* device, std::size_t size) {
  auto made = Make(device, size);
  const std::uint64_t pointer = made->pointer();
  CHECK(cache.Put(std::move(made)).empty());
  return pointer;
}

/// Of the allocations that fit, the one that was cached last is returned.
void check_found() {
  Cache cache;
  int here = 0;
  int there = 0;
  const auto first = PutOne(cache, &here, 8);
  PutOne(cache, &here, 9);
  const auto last = PutOne(cache, &here, 8);
  PutOne(cache, &there, 8);
  for (const int another : {0, 2, 5, -1}) CHECK(cache.Take(&here, another, 8) == nullptr);
  CHECK(cache.Take(&here, 1, 7) == nullptr);
  CHECK(cache.Take(&here, 1, 8)->pointer() == last);
  CHECK(cache.Take(&here, 1, 8)->pointer() == first);
  CHECK(cache.Take(&here, 1, 8) == nullptr);
  CHECK(cache.count() == 2);
}

/// The oldest of all sizes is evicted, and only on the same device.
void check_room() {
  Cache cache;
  int here = 0;
  int there = 0;
  PutOne(cache, &there, 60);
  const auto oldest = PutOne(cache, &here, 60);
  PutOne(cache, &here, 30);
  const auto gone = cache.Put(Make(&here, 20));
  CHECK(gone.size() == 1 && gone.front()->pointer() == oldest);
  CHECK(cache.count() == 3);
  CHECK(cache.Put(Make(&here, kLimit + 1)).size() == 1);  // never fits, so nothing is evicted
  CHECK(cache.Put(Make(&here, 8, 0)).size() == 1);
  CHECK(cache.count() == 3);
  CHECK(cache.Put(Make(&here, kLimit)).size() == 2);
}

void check_empty() {
  Cache cache;
  int here = 0;
  int there = 0;
  PutOne(cache, &here, 1);
  PutOne(cache, &there, 1);
  PutOne(cache, &there, 2);
  CHECK(cache.Empty(&there).size() == 2);
  CHECK(cache.count() == 1);
  CHECK(cache.Empty(nullptr).size() == 1);
  CHECK(cache.count() == 0);
  CHECK(cache.Take(&here, 1, 1) == nullptr);
}

/// An allocation that must not be cached, such as one of a device that was removed, waits for its
/// release and is not used again.
void check_not_kept() {
  FreeList free_list;
  int here = 0;
  free_list.Put(Make(&here, 8, 0));
  CHECK(free_list.Take(1, 8) == nullptr);
  free_list.Put(Make(&here, 8));
  CHECK(free_list.Take(1, 8) != nullptr);
  CHECK(free_list.Take(1, 8) == nullptr);
  CHECK(free_list.count() == 1);
  CHECK(free_list.TakeOldest() != nullptr);
  CHECK(free_list.is_empty() && free_list.bytes() == 0);
}

}  // namespace

void check_cache() {
  check_found();
  check_room();
  check_empty();
  check_not_kept();
}
