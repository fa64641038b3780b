// tiled_parts() and the kernels of tiled_copy.cl: tiled_grid.cpp has them as C++.
#include <cstdint>

#include "check.hpp"
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

}  // namespace

void check_tiled() {
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
