#include "memory/block_table.hpp"

#include <memory>

#include "check.hpp"
#include "device.hpp"
#include "memory/holder.hpp"
#include "memory/reclaimer.hpp"
#include "sections.hpp"

using namespace array_interface;

void check_block_table() {
  static Reclaimer& reclaimer = *new Reclaimer;
  PaperAllocation::Counts counts;
  BlockTable table;
  auto block = Block::Of(reclaimer, std::make_unique<PaperAllocation>(counts, &counts, 100, 1000));
  const std::uint64_t start = block->allocation()->pointer();
  table.Add(block);
  for (const std::uint64_t inside : {start, start + 1, start + 99}) {
    CHECK(table.Find(inside) == block);
    CHECK(!table.IsGivenUp(inside));
  }
  for (const std::uint64_t outside : {start - 1, start + 100}) {
    CHECK(table.Find(outside) == nullptr);
    CHECK(!table.IsGivenUp(outside));
  }
  auto owner = std::make_unique<Holder>(block, true);
  Holder loan(block, false);
  block = nullptr;
  owner->End();
  CHECK(table.Find(start) == nullptr);  // nobody new
  CHECK(table.IsGivenUp(start));
  CHECK(counts.released == 0);
  loan.End();
  CHECK(table.IsGivenUp(start));  // kept for the next one
  CHECK(reclaimer.kept() == 1);

  auto tried = reclaimer.Try(&counts, 1, 100, Reclaimer::Milliseconds(0), [] { return nullptr; });
  CHECK(tried.allocation != nullptr && tried.allocation->pointer() == start);
  auto again = Block::Of(reclaimer, std::move(tried.allocation));
  table.Add(again);
  CHECK(table.Find(start) == again);
  CHECK(table.count() == 1);

  // Released memory comes anew before its old entry is out.
  const Allocation& old = *again->allocation();
  PaperAllocation other(counts, &counts, 100, 0);
  table.Remove(other);
  CHECK(table.count() == 1);
  table.Remove(old);
  CHECK(table.count() == 0);
  CHECK(table.Find(start) == nullptr);
}
