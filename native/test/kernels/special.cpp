// special_parts(), row_copy.cl and tiled_copy.cl: special_grid.cpp has them as C++.
#include <cstdint>

#include "check.hpp"
#include "kernels/special_launch.hpp"
#include "layout.hpp"
#include "random.hpp"
#include "sections.hpp"
#include "special_grid.hpp"

namespace ai = array_interface;

namespace {

/// The axes that a kernel is built for are those that its launches have, however many there are.
void check_axes(const ai::StridedCopy& copy) {
  for (const ai::SpecialPart& part : ai::special_parts(copy)) {
    ai::for_each_special_launch(part, [&](const ai::SpecialLaunch& launch) {
      CHECK((part.kernel.axes & 0xff) == static_cast<unsigned>(launch.arguments.layout.rank));
    });
  }
}

void check_layout(Layout& layout, bool& has_tiles) {
  check_axes(layout.copy);
  const Subject named(text_of(layout.copy));
  const auto expected = copied_naively(layout);
  CHECK(run_special(layout.copy, has_tiles) == ai::unit_count(layout.copy));
  CHECK(layout.destination == expected);
}

/// What a runtime counts in an int.
std::int64_t items_of(const ai::SpecialLaunch& launch) {
  std::int64_t items = 1;
  for (std::size_t index = 0; index < launch.rank; ++index) {
    items *= static_cast<std::int64_t>(launch.items[index]);
  }
  CHECK(items < std::int64_t{1} << 31);
  return items;
}

/// A row longer than a launch is cut; nothing of it is touched here.
void check_long_row() {
  constexpr std::int64_t length = (std::int64_t{1} << 33) + 1;
  std::uint8_t byte = 0;
  const ai::StridedCopy copy{&byte, &byte, 1, {length}, {1}, {0}};
  std::int64_t next = 0;
  for (const ai::SpecialPart& part : ai::special_parts(copy)) {
    ai::for_each_special_launch(part, [&](const ai::SpecialLaunch& launch) {
      CHECK(static_cast<std::uint8_t*>(launch.arguments.layout.destination) - &byte == next);
      CHECK(launch.arguments.layout.source == &byte);
      next += items_of(launch);
    });
  }
  CHECK(next == length);
  const ai::StridedCopy endless{&byte, &byte, 1, {std::int64_t{1} << 62}, {1}, {0}};
  CHECK(ai::special_parts(endless).size() < 3);
}

/// Nor may many rows, or squares, be more than a launch counts.
void check_many_rows() {
  std::uint8_t byte = 0;
  constexpr std::int64_t side = 100'000;
  const ai::StridedCopy rows{&byte, &byte, 1, {side, side}, {side, 1}, {side, -1}};
  const ai::StridedCopy squares{&byte,       &byte, 1, {9, side, side}, {side * side, side, 1},
                                {0, 1, side}};
  for (const ai::StridedCopy& copy : {rows, squares}) {
    std::uint64_t units = 0;
    for (const ai::SpecialPart& part : ai::special_parts(copy)) {
      ai::for_each_special_launch(part, [&](const ai::SpecialLaunch& launch) {
        units += static_cast<std::uint64_t>(items_of(launch)) * part.kernel.units_of_item();
      });
    }
    CHECK(units == ai::unit_count(copy));
  }
}

/// Devices without memory for squares get rows alone.
void check_rows_alone() {
  std::uint32_t number = 0;
  const ai::StridedCopy turned{&number, &number, 4, {512, 512}, {2048, 4}, {4, 2048}};
  CHECK(ai::special_parts(turned).front().kernel.is_tiles);
  for (const ai::SpecialPart& part : ai::special_parts(turned, ai::Squares::kRefused)) {
    CHECK(!part.kernel.is_tiles);
  }
}

/// The channels of a pixel are one item's, on whichever side they are neighbours.
void check_channels() {
  std::uint32_t number = 0;
  const ai::StridedCopy split{&number, &number, 4, {3, 100, 40}, {20000, 160, 4}, {4, 480, 12}};
  const ai::StridedCopy joined{&number, &number, 4, {100, 40, 3}, {480, 12, 4}, {160, 4, 20000}};
  for (const ai::StridedCopy& copy : {split, joined}) {
    const auto parts = ai::special_parts(copy);
    CHECK(parts.size() == 1);
    CHECK(parts.front().kernel.units_of_item() == 3);
    CHECK(parts.front().first == 40);
    CHECK(ai::unit_count(parts.front().around) == 100);
  }
  const ai::StridedCopy planes{&number, &number, 4, {3, 100, 40}, {20000, 160, 4}, {40000, 160, 4}};
  CHECK(ai::special_parts(planes).front().kernel.units_of_item() == 1);
}

}  // namespace

void check_special() {
  check_long_row();
  check_many_rows();
  check_channels();
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
    Layout layout = random_permutation(random, conversion);
    check_layout(layout, has_tiles);
  }
  CHECK(has_tiles);
}
