#include "kernels/layout/tiling.hpp"

#include <cstdint>
#include <random>
#include <vector>

#include "kernels/launch/tile_launch.hpp"
#include "test/kernels/sections.hpp"
#include "test/kernels/support/random.hpp"
#include "test/support/check.hpp"

using array_interface::StridedCopy;
using array_interface::tile_part;
using array_interface::TileSize;
using array_interface::Tiling;
using array_interface::unit_count;

namespace {

/// A copy that validate() accepts, mostly of far more units than memory holds: its long axes repeat
/// the same bytes.
StridedCopy vast_copy(std::mt19937& random) {
  static unsigned char bytes[64];
  StridedCopy copy{bytes, bytes, 1u << random() % 5, {}, {}, {}};
  const auto stride = [&] { return static_cast<std::int64_t>(random() % 3 * copy.unit); };
  int bits = 63;
  for (std::size_t axis = random() % 4; axis-- > 0 && bits > 0;) {
    const int used = 1 + static_cast<int>(random() % static_cast<unsigned>(bits));
    const bool is_short = used < 16;
    copy.lengths.push_back(static_cast<std::int64_t>((std::uint64_t{1} << used) - 1));
    copy.destination_strides.push_back(is_short ? stride() : 0);
    copy.source_strides.push_back(is_short ? stride() : 0);
    bits -= used;
  }
  return copy;
}

/// UndefinedBehaviorSanitizer, which the suite of sanitizers runs this with, sees an overflow.
void check_vast_copies() {
  std::mt19937 random = random_of(11);
  for (int round = 0; round < rounds(3000); ++round) {
    const StridedCopy copy = vast_copy(random);
    const auto below = [&](int limit) { return static_cast<std::int64_t>(random() % limit); };
    const std::int64_t longest = below(2) == 0 ? array_interface::no_limit : 1 + below(1000);
    const Tiling tiling(copy, TileSize{1L << below(20), 1 + below(64), 1L << below(20), longest});
    const auto room = static_cast<__int128>(tiling.tiles()) * tiling.units();
    CHECK(room >= unit_count(copy));
    CHECK(tile_part(copy).arguments.tiles > 0);
  }
}

}  // namespace

void check_tiling() { check_vast_copies(); }
