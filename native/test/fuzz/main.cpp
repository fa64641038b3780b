// A libFuzzer target for the layout code. scripts/suites/fuzz.mjs builds and runs it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "any_copy.hpp"
#include "demand.hpp"
#include "drawn_copy.hpp"
#include "kernels/emulator/run_blocks.hpp"
#include "kernels/emulator/run_kernel.hpp"
#include "kernels/host/copy.hpp"
#include "kernels/host/copy_in_tiles.hpp"
#include "kernels/host/pieces.hpp"
#include "kernels/launch/block_launch.hpp"
#include "kernels/launch/convert_arguments.hpp"
#include "kernels/launch/launch.hpp"
#include "numbers.hpp"
#include "planted.hpp"
#include "test/kernels/device/row_grid.hpp"
#include "test/kernels/device/tile_grid.hpp"
#include "test/kernels/support/layout.hpp"

namespace ai = array_interface;

namespace {

/// Copies with launches of strided_copy.cl and convert.cl.
void copy_by_launches(const ai::StridedCopy& copy, const ai::LaunchLimits& limits) {
  const auto launch = [&](const ai::KernelArguments& arguments) {
    demand(arguments.rank <= static_cast<int>(limits.axes) && arguments.count <= limits.units,
           "a launch within its limits");
    if (copy.conversion) {
      ai::run_kernel(ai::ConvertArguments{arguments, ai::conversion_code(*copy.conversion)});
    } else {
      ai::run_kernel(copy.unit, arguments);
    }
  };
  ai::for_each_launch(copy, launch, limits);
}

/// Copies with block_copy.cl. Returns false if that kernel does not support the copy.
bool copy_by_blocks(const ai::StridedCopy& copy, std::uint64_t fewest) {
  const auto blocks = ai::block_copy_of(copy, fewest);
  if (!blocks) return false;
  ai::for_each_block_launch(*blocks, [&](const ai::BlockArguments& launch) {
    ai::run_blocks(launch, blocks->conversion);
  });
  return true;
}

/// Checks that every way to do a copy has the result of a plain loop, and changes nothing else.
void check_drawn_copy(Numbers& numbers) {
  Layout layout = drawn_copy(numbers);
  const std::size_t pieces = 1 + numbers.Below(9);
  const ai::LaunchLimits limits{numbers.Below(7), 1 + numbers.Below(65536)};
  const std::uint64_t fewest = numbers.Below(1024);
  const ai::StridedCopy& copy = layout.copy;
  const std::vector<unsigned char> before = layout.destination;
  const std::vector<unsigned char> expected = copied_naively(layout);
  const auto check = [&](const char* what) {
    demand(layout.destination == expected, what);
    std::copy(before.begin(), before.end(), layout.destination.begin());
  };
  ai::strided_copy(with_planted(copy));
  check("the host's copy to be that of the plain loop");
  copy_by_launches(copy, limits);
  check("the launches' copy to be that of the plain loop");
  run_rows(copy);
  check("the copy row by row to be that of the plain loop");
  if (copy_by_blocks(copy, fewest)) check("the blocks' copy to be that of the plain loop");
  if (ai::unit_count(copy) == 0) return;
  run_tiles(copy);
  check("the copy of a device's tiles to be that of the plain loop");
  ai::copy_in_tiles(copy, ai::Volume::kVast);
  check("the copy past the caches to be that of the plain loop");
  for (const ai::StridedCopy& piece : ai::pieces_of(copy, pieces)) ai::strided_copy(piece);
  check("the pieces' copy to be that of the plain loop");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Numbers numbers(data, size);
  if (numbers.Flag()) {
    check_any_copy(numbers);
  } else {
    check_drawn_copy(numbers);
  }
  return 0;
}
