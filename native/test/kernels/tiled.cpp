// tiled_parts() and the kernels of tiled_copy.cl: tiled_grid.cpp has them as C++.
#include <cstdint>

#include "check.hpp"
#include "kernels/tiled_launch.hpp"
#include "layout.hpp"
#include "random.hpp"
#include "sections.hpp"
#include "tiled_grid.hpp"

namespace ai = array_interface;

namespace {

void check_layout(Layout& layout, bool& has_tiles) {
  const auto expected = copied_naively(layout);
  CHECK(run_tiled(layout.copy, has_tiles) == ai::unit_count(layout.copy));
  CHECK(layout.destination == expected);
}

/// A row longer than an index of 31 bits is cut; nothing of it is touched here.
void check_long_row() {
  constexpr std::int64_t length = (std::int64_t{1} << 33) + 1;
  std::uint8_t byte = 0;
  const ai::StridedCopy copy{&byte, &byte, 1, {length}, {1}, {0}};
  std::int64_t next = 0;
  for (const ai::TiledPart& part : ai::tiled_parts(copy)) {
    CHECK(part.first < std::size_t{1} << 31);
    ai::for_each_tiled_launch(part, [&](const ai::TiledLaunch& launch) {
      CHECK(static_cast<std::uint8_t*>(launch.arguments.layout.destination) - &byte == next);
      CHECK(launch.arguments.layout.source == &byte);
    });
    next += static_cast<std::int64_t>(part.first);
  }
  CHECK(next == length);
}

/// Devices without memory for squares get rows alone.
void check_rows_alone() {
  std::uint32_t number = 0;
  const ai::StridedCopy turned{&number, &number, 4, {512, 512}, {2048, 4}, {4, 2048}};
  CHECK(ai::tiled_parts(turned).front().kernel.is_tiles);
  for (const ai::TiledPart& part : ai::tiled_parts(turned, ai::Squares::kRefused)) {
    CHECK(!part.kernel.is_tiles);
  }
}

}  // namespace

void check_tiled() {
  check_long_row();
  check_rows_alone();
  std::mt19937 random = random_of(8);
  bool has_tiles = false;
  for (std::size_t rank = 0; rank <= 9; ++rank) {
    for (const std::uint32_t unit : {1u, 2u, 4u, 8u, 16u}) {
      for (int round = 0; round < rounds(40); ++round) {
        Layout layout = random_layout(random, rank, unit, round % 2 == 0);
        check_layout(layout, has_tiles);
      }
    }
  }
  for (int round = 0; round < rounds(1500); ++round) {
    Layout layout = random_permutation(random, 1u << random() % 5);
    check_layout(layout, has_tiles);
  }
  for (int round = 0; round < rounds(1500); ++round) {
    const ai::Conversion conversion{ai::ElementType(random() % 15), ai::ElementType(random() % 15),
                                    random() % 2 == 0, random() % 2 == 0};
    Layout layout = random_permutation(random, size_of(conversion.to));
    layout.copy.conversion = conversion;
    check_layout(layout, has_tiles);
  }
  CHECK(has_tiles);
}
