// Checks tile_part() and tile_copy.cl, which tile_grid.cpp compiles as C++.
#include <cstdint>

#include "kernels/launch/tile_launch.hpp"
#include "test/kernels/sections.hpp"
#include "test/kernels/support/layout.hpp"
#include "test/kernels/support/random.hpp"
#include "test/kernels/support/random_layouts.hpp"
#include "test/support/check.hpp"
#include "tile_grid.hpp"

namespace ai = array_interface;

namespace {

void check_layout(Layout& layout) {
  if (ai::unit_count(layout.copy) == 0) return;
  const Subject named(text_of(layout.copy));
  const auto expected = copied_naively(layout);
  run_tiles(layout.copy);
  CHECK(layout.destination == expected);
}

/// Windows over a source, which overlaps itself. What is contiguous in most tiles is not in the
/// last.
void check_windows() {
  const ai::Conversion widened{ai::ElementType::kUint8, ai::ElementType::kFloat32};
  const ai::StridedCopy windows[] = {
      {nullptr, nullptr, 4, {313, 3, 428}, {5136, 1712, 4}, {1, 12, 24}, widened},
      {nullptr, nullptr, 1, {3, 21, 4, 959}, {80556, 3836, 959, 1}, {1, 3, 15, 1000}}};
  for (const ai::StridedCopy& copy : windows) {
    Layout layout;
    layout.copy = copy;
    layout.destination.resize(ai::unit_count(copy) * copy.unit);
    std::size_t last = 0;
    for (std::size_t axis = 0; axis < copy.lengths.size(); ++axis) {
      last += static_cast<std::size_t>((copy.lengths[axis] - 1) * copy.source_strides[axis]);
    }
    for (std::size_t byte = 0; byte <= last; ++byte) {
      layout.source.push_back(static_cast<unsigned char>(byte * 37 % 251));
    }
    layout.copy.destination = layout.destination.data();
    layout.copy.source = layout.source.data();
    check_layout(layout);
  }
}

/// More tiles than items, of several shapes.
void check_many_tiles(std::mt19937& random) {
  for (int round = 0; round < rounds(30); ++round) {
    Layout layout = random_large_permutation(random, 1u << random() % 5);
    check_layout(layout);
  }
  for (int round = 0; round < rounds(30); ++round) {
    const ai::Conversion conversion{ai::ElementType(random() % 15), ai::ElementType(random() % 15),
                                    random() % 2 == 0, random() % 2 == 0, random() % 2 == 0};
    Layout layout = random_large_permutation(random, ai::size_of(conversion.to), conversion);
    check_layout(layout);
  }
}

}  // namespace

void check_tile_copy() {
  std::mt19937 random = random_of(10);
  check_windows();
  check_many_tiles(random);
  for_random_layouts(random, 12, check_layout);
}
