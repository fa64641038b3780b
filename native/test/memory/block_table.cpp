#include "memory/block_table.hpp"

#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "device.hpp"
#include "memory/caching_allocator.hpp"
#include "memory/memory_ref.hpp"
#include "sections.hpp"
#include "test/support/check.hpp"

using namespace array_interface;

namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 50'000;

/// Each thread finds its own block while the others add and remove theirs.
void check_threads() {
  const Subject named("a table that several threads use at once");
  static CachingAllocator& allocator = *new CachingAllocator;
  static PaperAllocation::Counts counts;
  BlockTable table;
  std::atomic<int> begun{0};
  std::atomic<int> found{0};
  const auto use = [&] {
    ++begun;
    while (begun < kThreads) std::this_thread::yield();  // so that all start before one ends
    auto allocation = std::make_unique<PaperAllocation>(counts, &counts, 8, 0);
    const Allocation& memory = *allocation;
    const auto block = Block::Of(allocator, std::move(allocation));
    for (int i = 0; i < kRounds; ++i) {
      table.Add(block);
      const Pin pin(block);
      if (table.Find(memory.pointer()) == block && !table.IsGivenUp(memory.pointer())) ++found;
      table.Remove(memory);
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(use);
  for (auto& thread : threads) thread.join();
  CHECK(found == kThreads * kRounds);
  CHECK(table.count() == 0);
}

/// A pin keeps an address valid after the owner has released it, until no new loans are allowed.
void check_pinned() {
  const Subject named("a block that its owner gave up and somebody vouches for");
  static CachingAllocator& allocator = *new CachingAllocator;
  static PaperAllocation::Counts counts;
  BlockTable table;
  auto block = Block::Of(allocator, std::make_unique<PaperAllocation>(counts, &counts, 8, 0));
  const std::uint64_t start = block->allocation()->pointer();
  table.Add(block);
  auto first = std::make_unique<Pin>(block);
  auto second = std::make_unique<Pin>(Pin(block));
  MemoryRef loan(block, false);
  MemoryRef(std::exchange(block, nullptr), true).End();
  CHECK(table.Find(start) != nullptr);
  loan.End();
  CHECK(table.Find(start) != nullptr);
  first = nullptr;
  CHECK(table.Find(start) != nullptr);
  CHECK(!table.IsGivenUp(start));
  auto held = table.Find(start);
  second = nullptr;
  CHECK(table.Find(start) == nullptr);
  CHECK(table.IsGivenUp(start));
  const MemoryRef last(std::exchange(held, nullptr), false);
  CHECK(table.Find(start) != nullptr);
  table.Find(start)->GiveUp();
  CHECK(table.Find(start) == nullptr);
}

}  // namespace

void check_block_table() {
  check_threads();
  check_pinned();
  static CachingAllocator& allocator = *new CachingAllocator;
  PaperAllocation::Counts counts;
  BlockTable table;
  auto block = Block::Of(allocator, std::make_unique<PaperAllocation>(counts, &counts, 100, 1000));
  const std::uint64_t start = block->allocation()->pointer();
  table.Add(block);
  auto owner = std::make_unique<MemoryRef>(block, true);
  for (const std::uint64_t inside : {start, start + 1, start + 99}) {
    CHECK(table.Find(inside) == block);
    CHECK(!table.IsGivenUp(inside));
  }
  for (const std::uint64_t outside : {start - 1, start + 100}) {
    CHECK(table.Find(outside) == nullptr);
    CHECK(!table.IsGivenUp(outside));
  }
  MemoryRef loan(block, false);
  block = nullptr;
  owner->End();
  CHECK(table.Find(start) != nullptr);  // the loan has a pin, too
  CHECK(counts.released == 0);
  loan.End();
  CHECK(table.Find(start) == nullptr);
  CHECK(table.IsGivenUp(start));  // cached for the next allocation
  CHECK(allocator.kept() == 1);

  auto tried =
      allocator.Try(&counts, 1, 100, CachingAllocator::Milliseconds(0), [] { return nullptr; });
  CHECK(tried.allocation != nullptr && tried.allocation->pointer() == start);
  auto again = Block::Of(allocator, std::move(tried.allocation));
  table.Add(again);
  const Pin pin(again);
  CHECK(table.Find(start) == again);
  CHECK(table.count() == 1);

  // The driver may return released memory again before its old entry is removed.
  const Allocation& old = *again->allocation();
  PaperAllocation other(counts, &counts, 100, 0);
  table.Remove(other);
  CHECK(table.count() == 1);
  table.Remove(old);
  CHECK(table.count() == 0);
  CHECK(table.Find(start) == nullptr);
}
