#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "block_scan.hpp"
#include "kernels/host/on_threads.hpp"
#include "plain_scan.hpp"
#include "reducer.hpp"
#include "reduction.hpp"
#include "units.hpp"
#include "values.hpp"

namespace array_interface {

namespace {

constexpr std::uint64_t kFewestOfThread = 1 << 15;
/// Leaves of a piece of a tree that a thread combines.
constexpr std::uint64_t kFewestLeaves = 64;

/// Has threads combine pieces of each tree, which are subtrees.
void RunInPieces(const ReductionCall& call, std::uint64_t units, std::size_t threads) {
  const std::uint64_t leaves = call.tree.leaves;
  std::uint64_t size = kFewestLeaves;
  while (size * threads * 4 < leaves) size *= 2;
  const std::uint64_t count = (leaves - 1) / size + 1;
  Reducer whole(call);
  const std::size_t bytes = whole.RowBytes();
  std::vector<std::byte> pieces(count * bytes);
  for (std::uint64_t unit = 0; unit < units; ++unit) {
    std::atomic<std::uint64_t> next{0};
    std::atomic<bool> is_known{false};
    std::fill(pieces.begin(), pieces.end(), std::byte{0});  // what others decide may stay
    on_threads(std::min<std::size_t>(threads, count), [&](std::size_t) {
      Reducer own(call);
      for (std::uint64_t piece = next++; piece < count && !is_known; piece = next++) {
        const std::uint64_t first = piece * size;
        std::byte* const to = pieces.data() + piece * bytes;
        if (own.Begin(unit, first, std::min(first + size, leaves), to)) is_known = true;
      }
    });
    whole.Join(unit, pieces.data(), count);
  }
}

/// Calls `work(own, first, end)` for as many parts of some units, each on a thread with a reducer
/// or a scan of its own.
template <typename Own, typename Work>
void InParts(const ReductionCall& call, std::uint64_t units, std::uint64_t parts, Work&& work) {
  on_threads(static_cast<std::size_t>(parts), [&](std::size_t part) {
    const auto at = [&](std::uint64_t index) {
      return units / parts * index + std::min(index, units % parts);
    };
    Own own(call);
    work(own, at(part), at(part + 1));
  });
}

/// Has threads compute parts of all units.
template <typename Own>
void RunInParts(const ReductionCall& call, std::uint64_t units, std::uint64_t parts) {
  InParts<Own>(call, units, parts,
               [](Own& own, std::uint64_t first, std::uint64_t end) { own.Run(first, end); });
}

/// Has threads share the leaves of a scan: they find what each leaf makes, and then scan it.
void RunInLeaves(const ReductionCall& call, std::uint64_t parts) {
  ReductionCall cut = call;
  cut.is_cut = true;
  cut.tree.pieces = cut.tree.leaves;
  const auto items = static_cast<std::size_t>(call.outputs * cut.tree.leaves);
  std::vector<std::vector<std::byte>> memory;
  Values totals;
  for (const ValueType type : call.reduction->types) {
    memory.emplace_back(items * SizeOf(type));
    totals.push_back(memory.back().data());
  }
  cut.totals.assign(totals.begin(), totals.end());
  const std::uint64_t units = Units(cut).count();
  InParts<Reducer>(cut, units, parts, [&](Reducer& own, std::uint64_t first, std::uint64_t end) {
    own.FindTotals(first, end, totals);
  });
  RunInParts<BlockScan>(cut, units, parts);
}

}  // namespace

void RunReduction(const ReductionCall& call, std::size_t threads) {
  if (call.first == call.end) return;
  if (call.IsPlainScan()) {
    RunPlainScan(call, threads);
    return;
  }
  const bool is_scan = call.reduction->is_scan;
  const std::uint64_t units = Units(call).count();
  const std::uint64_t most = (call.end - call.first) * call.elements / kFewestOfThread;
  if (call.row_elements > 0 && units < std::min<std::uint64_t>(threads, most)) {
    ReductionCall alone = call;  // whose units are smaller
    alone.row_elements = 0;
    RunReduction(alone, threads);
    return;
  }
  const bool is_whole = !call.reduction->is_split && !is_scan;
  const bool has_pieces = is_whole && !AreFewOf(call) && call.row_elements == 0;
  if (has_pieces && units < threads && call.tree.leaves >= 2 * kFewestLeaves && most > 1) {
    RunInPieces(call, units, threads);
    return;
  }
  const std::uint64_t parts = std::clamp<std::uint64_t>(most, 1, std::max<std::size_t>(1, threads));
  if (is_scan && !call.is_cut && units < parts && call.tree.leaves > 1) {
    RunInLeaves(call, std::min(parts, call.tree.leaves));
  } else if (is_scan) {
    RunInParts<BlockScan>(call, units, std::min(parts, units));
  } else {
    RunInParts<Reducer>(call, units, std::min(parts, units));
  }
}

}  // namespace array_interface
