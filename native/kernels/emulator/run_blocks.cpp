#include "kernels/emulator/run_blocks.hpp"

#define WIDE  // the host has doubles
#include "kernels/device/convert.h"
#include "kernels/device/shape.h"

namespace array_interface {
namespace {

// What the threads of a GPU know without arguments: their block, and their module's conversion.
thread_local u64 block_of_grid;
thread_local u32 conversion_of_launch;

#define CONVERSION conversion_of_launch
#include "kernels/device/block_copy.cl"  // NOLINT: the kernel itself, as C++

}  // namespace

void run_blocks(const BlockArguments& arguments, std::uint32_t conversion) noexcept {
  const KernelArguments& layout = arguments.layout;
  const TilePair& pair = arguments.pair;
  const auto& n = layout.lengths;
  const auto& d = layout.destination_strides;
  const auto& s = layout.source_strides;
  conversion_of_launch = conversion;
  for (block_of_grid = 0; block_of_grid < arguments.blocks(); ++block_of_grid) {
    block_copy(static_cast<unsigned char*>(layout.destination),
               static_cast<const unsigned char*>(layout.source), layout.count, layout.rank, n[0],
               n[1], n[2], n[3], n[4], n[5], d[0], d[1], d[2], d[3], d[4], d[5], s[0], s[1], s[2],
               s[3], s[4], s[5], pair.wide, pair.high, pair.to_column, pair.to_row,
               pair.from_column, pair.from_row, pair.columns, pair.rows, pair.across, pair.down,
               pair.pitch, pair.flags);
  }
}

}  // namespace array_interface
