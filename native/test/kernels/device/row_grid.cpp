#include "row_grid.hpp"

#include <array>
#include <cstdint>

#include "kernels/device/portable.h"
#include "kernels/launch/row_launch.hpp"

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
#include "kernels/device/row_copy.cl"

void run_item(const ai::RowArguments& arguments) {
  const auto& layout = arguments.layout;
  const auto& n = layout.lengths;
  const auto& d = layout.destination_strides;
  const auto& s = layout.source_strides;
  row_copy(static_cast<unsigned char*>(layout.destination),
           static_cast<const unsigned char*>(layout.source), layout.count, layout.rank, n[0], n[1],
           n[2], n[3], n[4], n[5], d[0], d[1], d[2], d[3], d[4], d[5], s[0], s[1], s[2], s[3], s[4],
           s[5], arguments.inner.to, arguments.inner.from, arguments.channel.to,
           arguments.channel.from);
}

}  // namespace

std::uint64_t run_rows(const ai::StridedCopy& copy) {
  std::uint64_t units = 0;
  for (const ai::RowPart& part : ai::row_parts(copy)) {
    conversion_constant = part.conversion;
    steps_constant = part.steps;
    axes_constant = part.axes;
    ai::for_each_row_launch(part, [&](const ai::RowArguments& arguments) {
      for (item_of_grid[1] = 0; item_of_grid[1] < arguments.layout.count; ++item_of_grid[1]) {
        for (item_of_grid[0] = 0; item_of_grid[0] < part.columns; ++item_of_grid[0]) {
          run_item(arguments);
          units += part.channels();
        }
      }
    });
  }
  return units;
}
