#include "kernels/host/explain.hpp"

#include <cstdint>

#include "kernels/host/copy.hpp"
#include "kernels/host/move/repeat.hpp"
#include "kernels/host/tile_move.hpp"
#include "test/kernels/sections.hpp"
#include "test/kernels/support/layout.hpp"
#include "test/kernels/support/random.hpp"
#include "test/support/check.hpp"

using array_interface::Conversion;
using array_interface::ElementType;
using array_interface::explain;
using array_interface::Explanation;
using array_interface::Loop;
using array_interface::Reading;
using array_interface::Scatter;
using array_interface::Steps;
using array_interface::StridedCopy;
using array_interface::Tile;
using array_interface::TilesExplained;
using array_interface::Tiling;
using array_interface::Way;
using array_interface::with_repeats;

namespace {

/// Addresses that must not be accessed.
void* const nowhere = reinterpret_cast<void*>(std::uintptr_t{1} << 40);
void* const elsewhere = reinterpret_cast<void*>(std::uintptr_t{1} << 41);

using Integers = std::vector<std::int64_t>;

StridedCopy copy_of(std::uint32_t unit, Integers lengths, Integers to, Integers from) {
  return {nowhere, elsewhere, unit, std::move(lengths), std::move(to), std::move(from)};
}

TilesExplained tiles_of(const StridedCopy& copy) {
  Explanation found = explain(copy, 1);
  CHECK(found.way == Way::kTiles && found.tiles.has_value());
  return std::move(found.tiles).value();
}

Loop loop_of(const StridedCopy& copy) { return tiles_of(copy).largest.reading.loop; }

bool is_in_place(const TilesExplained& tiles) { return tiles.largest.scatter == nullptr; }

void check_ways() {
  const StridedCopy run = copy_of(16, {1 << 20}, {16}, {16});
  CHECK(explain(run, 1).way == Way::kRun && !explain(run, 1).tiles);
  CHECK(explain(run, 1).pieces == 1 && explain(run, 1).bytes == 1 << 24);
  CHECK(explain(run, 4).pieces == 4 && explain(run, 4).bytes == 1 << 22);
  CHECK(explain(copy_of(1, {100}, {1}, {1}), 4).pieces == 1);
  CHECK(explain({nowhere, nowhere, 1, {9, 9}, {10, 1}, {10, 1}}, 1).way == Way::kNothing);
  const TilesExplained rows = tiles_of(copy_of(4, {100, 4096}, {16384, 4}, {20000, 4}));
  CHECK(rows.tiling.is_runs() && rows.tiling.tiles() == 100 && rows.tiling.units() == 4096);
  CHECK(is_in_place(rows) && !rows.is_past_caches());
}

void check_loops() {
  CHECK(loop_of(copy_of(4, {100, 100}, {400, 4}, {404, 4})) == Loop::kRuns);
  CHECK(loop_of(copy_of(4, {100, 100}, {400, 4}, {4, 0})) == Loop::kRuns);
  CHECK(loop_of(copy_of(4, {100, 5000}, {20000, 4}, {4, 0})) == Loop::kRepeated);
  CHECK(loop_of(copy_of(4, {1000}, {4}, {-4})) == Loop::kBackwards);
  CHECK(loop_of(copy_of(4, {1000}, {4}, {8})) == Loop::kEverySecond);
  CHECK(loop_of(copy_of(4, {1000}, {4}, {-8})) == Loop::kEverySecondBackwards);
  CHECK(loop_of(copy_of(4, {1000}, {4}, {12})) == Loop::kStrided);
  CHECK(loop_of(copy_of(1, {5000, 3}, {3, 1}, {1, 5000})) == Loop::kIntoPixels);
  CHECK(loop_of(copy_of(1, {3, 5000}, {5000, 1}, {1, 3})) == Loop::kFromPixels);
  CHECK(loop_of(copy_of(4, {100, 100}, {400, 4}, {4, 400})) == Loop::kTurned);
  CHECK(loop_of(copy_of(4, {100, 100}, {400, 4}, {8, 800})) == Loop::kTurnedEverySecond);
  CHECK(loop_of(copy_of(16, {100, 100}, {1600, 16}, {32, 3200})) == Loop::kTurnedStrided);
  CHECK(loop_of(copy_of(4, {100, 100}, {400, 4}, {12, 1200})) == Loop::kTurnedStrided);
  CHECK(loop_of(copy_of(2, {1 << 21, 3, 3}, {18, 6, 2}, {36, 4, 12})) == Loop::kGathered);
  CHECK(loop_of(copy_of(8, {1 << 20, 2}, {16, 8}, {16, -8})) == Loop::kGathered);
}

/// Short rows of both sides are moved as one unit, also if they are converted afterwards.
void check_units() {
  StridedCopy copy = copy_of(2, {500, 400, 2}, {1600, 4, 2}, {4, 2000, 2});
  CHECK(tiles_of(copy).largest.reading.unit == 4 && loop_of(copy) == Loop::kTurned);
  copy.destination_strides = {3200, 8, 4};
  copy.unit = 4;
  copy.conversion = Conversion{ElementType::kFloat16, ElementType::kFloat32};
  CHECK(tiles_of(copy).largest.reading.unit == 4);
  copy.lengths = {500, 400, 3};
  CHECK(tiles_of(copy).largest.reading.unit == 2);
}

/// A matrix is transposed directly into the destination if that stays in the caches; otherwise
/// tiles are packed and streamed.
void check_writing() {
  const TilesExplained small = tiles_of(copy_of(4, {100, 100}, {400, 4}, {4, 400}));
  CHECK(is_in_place(small) && !small.is_packed() && !small.is_past_caches());
  const TilesExplained large = tiles_of(copy_of(4, {2048, 2048}, {8192, 4}, {4, 8192}));
  CHECK(!is_in_place(large) && large.is_packed() && large.is_past_caches());
  CHECK(tiles_of(copy_of(4, {512, 512}, {2048, 4}, {4, 2048})).is_past_caches());  // 1 MiB
  CHECK(!tiles_of(copy_of(4, {511, 512}, {2048, 4}, {4, 2044})).is_past_caches());
  const std::int64_t lines = large.tiling.axes()[0].side;
  const std::int64_t columns = large.tiling.axes()[1].side;
  const Reading& reading = large.largest.reading;
  CHECK(reading.width == static_cast<std::size_t>(columns) && reading.length == lines);
  const Scatter& scatter = *large.largest.scatter;
  CHECK(scatter.is_contiguous() && scatter.rows() == static_cast<std::size_t>(lines));
  CHECK(scatter.length() == columns && large.tiling.order() == std::vector<std::size_t>({1, 0}));
  const TilesExplained apart = tiles_of(copy_of(4, {2048, 1024}, {8192, 8}, {4, 8192}));
  CHECK(!apart.largest.scatter->is_contiguous() && !apart.is_past_caches());
}

void check_steps() {
  StridedCopy copy = copy_of(4, {3, 1000}, {4000, 4}, {2000, 2});
  copy.conversion = Conversion{ElementType::kFloat16, ElementType::kFloat32, true, true};
  const TilesExplained both = tiles_of(copy);
  CHECK(both.steps.source_swap == 2 && both.steps.convert != nullptr && both.steps.swap == 4);
  const auto& axes = both.tiling.axes();
  CHECK(axes.size() == 1 && axes[0].axis.length == 3000);  // merged into one axis
  CHECK(!both.is_packed() && !is_in_place(both) && both.largest.scatter->rows() == 1);
  copy.conversion = Conversion{ElementType::kFloat32, ElementType::kFloat32, false, true};
  copy.source_strides = {4000, -4};
  const TilesExplained swapped = tiles_of(copy);
  const Steps& steps = swapped.steps;
  CHECK(steps.source_swap == 4 && steps.convert == nullptr && steps.swap == 0);
  CHECK(swapped.is_packed() && swapped.tiling.axes().size() == 2);
  copy.source_strides = {4, 0};
  const TilesExplained repeated = tiles_of(copy);
  CHECK(repeated.steps.repeats == 1000 && repeated.tiling.units() == 1 && !repeated.is_packed());
  CHECK(steps.repeats == 1 && both.steps.repeats == 1);
}

/// If a tile has the same source as the one before, it is written again, so it is packed.
void check_repeated_tiles() {
  const TilesExplained blocks = tiles_of(copy_of(2, {9, 50, 600}, {60000, 2, 100}, {0, 1200, 2}));
  CHECK(blocks.is_packed() && !is_in_place(blocks) && blocks.tiling.order().back() == 0);
}

/// Elements that are converted or byte-swapped are gathered in tiles that fit the caches, even if
/// rows are long.
void check_room() {
  constexpr std::int64_t kRow = std::int64_t{4} << 20;
  for (const Conversion& conversion :
       {Conversion{ElementType::kFloat32, ElementType::kInt32, false, false},
        Conversion{ElementType::kFloat32, ElementType::kFloat32, true, false}}) {
    StridedCopy copy = copy_of(4, {10, kRow / 4}, {kRow + 64, 4}, {kRow + 128, 4});
    CHECK(tiles_of(copy).tiling.is_runs());
    copy.conversion = conversion;
    const TilesExplained tiles = tiles_of(copy);
    CHECK(!tiles.tiling.is_runs() && tiles.tiling.units() <= (std::size_t{64} << 10) / copy.unit);
  }
}

/// The explanation of the tiles matches the tiles of the copy.
void check_tiles(const StridedCopy& given) {
  const StridedCopy copy = with_repeats(given);
  const std::optional<TilesExplained> tiles = explain(given, 1).tiles;
  if (!tiles) return;
  std::uint64_t count = 0;
  std::uint64_t units = 0;
  std::uint64_t largest = 0;
  std::uint64_t of_shape = 0;
  Tiling(copy, array_interface::tile_size(copy.written()))
      .for_each_tile([&](const Tile& tile, std::size_t) { of_shape = tile.count(); },
                     [&](std::int64_t, std::int64_t, std::int64_t) {
                       ++count;
                       units += of_shape;
                       largest = std::max(largest, of_shape);
                     });
  CHECK(units == unit_count(copy));
  CHECK(tiles->tiling.tiles() == count);
  CHECK(tiles->tiling.units() == largest);
}

void check_refusals() {
  CHECK(refusal([] { explain(copy_of(4, {0}, {4}, {4}), 1); }).find("an empty one") !=
        std::string::npos);
  CHECK(refusal([] { explain(copy_of(4, {9}, {4}, {8}), 0); }).find("1 to 1024 threads") !=
        std::string::npos);
  CHECK(!refusal([] { explain(copy_of(3, {9}, {4}, {8}), 1); }).empty());
}

}  // namespace

void check_explain() {
  check_ways();
  check_loops();
  check_units();
  check_writing();
  check_steps();
  check_repeated_tiles();
  check_room();
  check_refusals();
  std::mt19937 random = random_of(10);
  for (int round = 0; round < rounds(500); ++round) {
    Layout layout = random_permutation(random, 1u << random() % 5);
    const Subject named(text_of(layout.copy));
    check_tiles(layout.copy);
  }
}
