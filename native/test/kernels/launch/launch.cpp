#include "kernels/launch/launch.hpp"

#include <algorithm>
#include <cstdint>

#include "kernels/emulator/run_kernel.hpp"
#include "test/kernels/sections.hpp"
#include "test/kernels/support/layout.hpp"
#include "test/kernels/support/random.hpp"
#include "test/support/check.hpp"

using array_interface::for_each_launch;
using array_interface::KernelArguments;
using array_interface::LaunchLimits;
using array_interface::StridedCopy;

namespace {

unsigned char bytes[64];

/// 3 x 2^20 x 2^20 units: each launch has as many rows of 2^20 as make fewer than 2^31 units.
void check_long_axes() {
  constexpr std::int64_t side = 1 << 20;
  constexpr std::int64_t rows = 2047;
  const StridedCopy copy{bytes, bytes, 1, {3, side, side}, {side * side, side, 1}, {0, -1, 0}};
  std::int64_t row = 0;
  for_each_launch(copy, [&](KernelArguments& launch) {
    const std::int64_t place = row % side;
    const std::int64_t length = std::min(rows, side - place);
    CHECK(launch.rank == 2 && launch.lengths[0] == length && launch.lengths[1] == side);
    CHECK(launch.count == static_cast<std::uint64_t>(length * side) && launch.count < 1u << 31);
    CHECK(launch.destination == bytes + row * side && launch.source == bytes - place);
    row += length;
  });
  CHECK(row == 3 * side);

  std::int64_t done = 0;
  for_each_launch({bytes, bytes, 1, {(std::int64_t{1} << 33) + 1}, {1}, {0}},
                  [&](KernelArguments& launch) {
                    CHECK(launch.destination == bytes + done && launch.source == bytes);
                    done += static_cast<std::int64_t>(launch.count);
                  });
  CHECK(done == (std::int64_t{1} << 33) + 1);
}

/// Whatever the limits of a launch are, all launches together make the same copy.
void check_limits() {
  std::mt19937 random = random_of(4);
  for (int round = 0; round < rounds(2000); ++round) {
    Layout layout = random_layout(random, random() % 8, 1u << random() % 5, true);
    const auto expected = copied_naively(layout);
    const LaunchLimits limits{random() % 7, 1 + random() % 40};
    for_each_launch(
        layout.copy,
        [&](KernelArguments& launch) {
          CHECK(launch.rank <= static_cast<int>(limits.axes) && launch.count <= limits.units);
          array_interface::run_kernel(layout.copy.unit, launch);
        },
        limits);
    CHECK(layout.destination == expected);
  }
}

}  // namespace

void check_launch() {
  // Eight axes and one of length 1: the first two become loops over launches, the last six are
  // launched.
  const StridedCopy copy{bytes,
                         bytes + 1,
                         1,
                         {2, 3, 1, 2, 2, 2, 2, 2, 4},
                         {1000, 100, 7, 6, 5, 4, 3, 2, 1},
                         {-1000, 0, 7, 1, 2, 3, 4, 5, 6}};
  std::vector<KernelArguments> launches;
  for_each_launch(copy, [&](const KernelArguments& launch) { launches.push_back(launch); });
  CHECK(launches.size() == 6);
  for (std::size_t index = 0; index < launches.size(); ++index) {
    const auto outer = static_cast<std::int64_t>(index);
    const KernelArguments& launch = launches[index];
    CHECK(launch.destination == bytes + outer / 3 * 1000 + outer % 3 * 100);
    CHECK(launch.source == bytes + 1 - outer / 3 * 1000);
    CHECK(launch.rank == 6 && launch.count == 128);
    CHECK((launch.lengths == std::array<std::int64_t, 6>{2, 2, 2, 2, 2, 4}));
    CHECK((launch.destination_strides == std::array<std::int64_t, 6>{6, 5, 4, 3, 2, 1}));
    CHECK((launch.source_strides == std::array<std::int64_t, 6>{1, 2, 3, 4, 5, 6}));
  }
  check_long_axes();
  check_limits();
  int count = 0;
  for_each_launch({bytes, bytes, 1, {2, 0}, {1, 1}, {1, 1}}, [&](KernelArguments&) { ++count; });
  CHECK(count == 0);
  for_each_launch({bytes, bytes, 8, {}, {}, {}}, [&](KernelArguments& launch) {
    ++count;
    CHECK(launch.rank == 0 && launch.count == 1);
  });
  CHECK(count == 1);
  CHECK(array_interface::cuda_grid(1) == 1 && array_interface::cuda_grid(257) == 2);
  CHECK(array_interface::cuda_grid(UINT64_MAX / 2) == 65535);
}
