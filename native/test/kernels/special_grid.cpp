#include "special_grid.hpp"

#include <array>
#include <cstdint>

#include "kernels/portable.h"
#include "kernels/special_launch.hpp"

namespace ai = array_interface;

namespace {

std::array<u64, 3> item_of_grid;
u32 conversion_constant = 0;
u32 steps_constant = 0;
u32 axes_constant = 0;

#define WIDE
#define CONVERSION conversion_constant
#define STEPS steps_constant
#define AXES axes_constant
#include "kernels/row_copy.cl"
#include "kernels/tiled_copy.cl"

void run_item(const ai::SpecialKernel& kernel, const ai::SpecialArguments& arguments) {
  const auto run = kernel.is_tiles ? tiled_copy : row_copy;
  const auto& layout = arguments.layout;
  const auto& n = layout.lengths;
  const auto& d = layout.destination_strides;
  const auto& s = layout.source_strides;
  run(static_cast<unsigned char*>(layout.destination),
      static_cast<const unsigned char*>(layout.source), layout.count, layout.rank, n[0], n[1], n[2],
      n[3], n[4], n[5], d[0], d[1], d[2], d[3], d[4], d[5], s[0], s[1], s[2], s[3], s[4], s[5],
      arguments.inner.to, arguments.inner.from, arguments.channel.to, arguments.channel.from);
}

}  // namespace

std::uint64_t run_special(const ai::StridedCopy& copy, bool& has_tiles) {
  std::uint64_t units = 0;
  for (const ai::SpecialPart& part : ai::special_parts(copy)) {
    conversion_constant = part.kernel.conversion;
    steps_constant = part.kernel.steps;
    axes_constant = part.kernel.axes;
    has_tiles |= part.kernel.is_tiles;
    ai::for_each_special_launch(part, [&](const ai::SpecialLaunch& launch) {
      const auto& items = launch.items;
      for (item_of_grid[2] = 0; item_of_grid[2] < (launch.rank == 3 ? items[0] : 1);
           ++item_of_grid[2]) {
        for (item_of_grid[1] = 0; item_of_grid[1] < items[launch.rank - 2]; ++item_of_grid[1]) {
          for (item_of_grid[0] = 0; item_of_grid[0] < items[launch.rank - 1]; ++item_of_grid[0]) {
            run_item(part.kernel, launch.arguments);
            units += part.kernel.units_of_item();
          }
        }
      }
    });
  }
  return units;
}
