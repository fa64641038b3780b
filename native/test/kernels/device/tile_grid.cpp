#include "tile_grid.hpp"

#include <array>
#include <cstdint>

#include "kernels/device/portable.h"
#include "kernels/launch/tile_launch.hpp"

namespace ai = array_interface;

namespace {

std::array<u64, 3> item_of_grid;
u32 conversion_constant = 0;
u32 steps_constant = 0;

#define WIDE
#define CONVERSION conversion_constant
#define STEPS steps_constant
#include "kernels/device/tile_copy.cl"

}  // namespace

void run_tiles(const ai::StridedCopy& copy) {
  const ai::TilePart part = ai::tile_part(copy);
  conversion_constant = part.conversion;
  steps_constant = part.steps;
  ai::for_each_tile_launch(part, [](const ai::TileArguments& launch) {
    const auto& n = launch.lengths;
    const auto& m = launch.sides;
    const auto& d = launch.destination_strides;
    const auto& s = launch.source_strides;
    for (item_of_grid[0] = 0; item_of_grid[0] < launch.items; ++item_of_grid[0]) {
      tile_copy(static_cast<unsigned char*>(launch.destination),
                static_cast<const unsigned char*>(launch.source), launch.tiles, launch.items, n[0],
                n[1], n[2], n[3], n[4], n[5], n[6], n[7], m[0], m[1], m[2], m[3], m[4], m[5], m[6],
                m[7], d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], s[0], s[1], s[2], s[3], s[4],
                s[5], s[6], s[7], launch.loops, launch.reading, launch.along, launch.across,
                launch.is_streamed);
    }
  });
}
