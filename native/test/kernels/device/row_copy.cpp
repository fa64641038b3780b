// Checks row_parts() and row_copy.cl, which row_grid.cpp compiles as C++.
#include <cstdint>

#include "kernels/launch/row_launch.hpp"
#include "row_grid.hpp"
#include "test/kernels/sections.hpp"
#include "test/kernels/support/layout.hpp"
#include "test/kernels/support/random.hpp"
#include "test/kernels/support/random_layouts.hpp"
#include "test/support/check.hpp"

namespace ai = array_interface;

namespace {

/// The number of axes that a kernel is built for is the rank of its launches.
void check_axes(const ai::StridedCopy& copy) {
  for (const ai::RowPart& part : ai::row_parts(copy)) {
    ai::for_each_row_launch(part, [&](const ai::RowArguments& arguments) {
      CHECK((part.axes & 0xff) == static_cast<unsigned>(arguments.layout.rank));
    });
  }
}

void check_layout(Layout& layout) {
  check_axes(layout.copy);
  const Subject named(text_of(layout.copy));
  const auto expected = copied_naively(layout);
  CHECK(run_rows(layout.copy) == ai::unit_count(layout.copy));
  CHECK(layout.destination == expected);
}

/// The number of items of a launch, which runtimes store in an int.
std::int64_t items_of(const ai::RowPart& part, const ai::RowArguments& arguments) {
  const auto items = static_cast<std::int64_t>(arguments.layout.count * part.columns);
  CHECK(items < std::int64_t{1} << 31);
  return items;
}

/// A row longer than a launch is split. No element of it is accessed here.
void check_long_row() {
  constexpr std::int64_t length = (std::int64_t{1} << 33) + 1;
  std::uint8_t byte = 0;
  const ai::StridedCopy copy{&byte, &byte, 1, {length}, {1}, {0}};
  std::int64_t next = 0;
  for (const ai::RowPart& part : ai::row_parts(copy)) {
    ai::for_each_row_launch(part, [&](const ai::RowArguments& arguments) {
      CHECK(static_cast<std::uint8_t*>(arguments.layout.destination) - &byte == next);
      CHECK(arguments.layout.source == &byte);
      next += items_of(part, arguments);
    });
  }
  CHECK(next == length);
  const ai::StridedCopy endless{&byte, &byte, 1, {std::int64_t{1} << 62}, {1}, {0}};
  CHECK(ai::row_parts(endless).size() < 3);
}

/// Many rows together are split, too, if a launch cannot count their items.
void check_many_rows() {
  std::uint8_t byte = 0;
  constexpr std::int64_t side = 100'000;
  const ai::StridedCopy copy{&byte, &byte, 1, {side, side}, {side, 1}, {side, -1}};
  std::uint64_t units = 0;
  for (const ai::RowPart& part : ai::row_parts(copy)) {
    ai::for_each_row_launch(part, [&](const ai::RowArguments& arguments) {
      units += static_cast<std::uint64_t>(items_of(part, arguments)) * part.channels();
    });
  }
  CHECK(units == ai::unit_count(copy));
}

/// One item copies all channels of a pixel, whichever side has them adjacent.
void check_channels() {
  std::uint32_t number = 0;
  const ai::StridedCopy split{&number, &number, 4, {3, 100, 40}, {20000, 160, 4}, {4, 480, 12}};
  const ai::StridedCopy joined{&number, &number, 4, {100, 40, 3}, {480, 12, 4}, {160, 4, 20000}};
  for (const ai::StridedCopy& copy : {split, joined}) {
    CHECK(ai::is_worth_rows(copy));
    const auto parts = ai::row_parts(copy);
    CHECK(parts.size() == 1);
    CHECK(parts.front().channels() == 3);
    CHECK(parts.front().columns == 40);
    CHECK(ai::unit_count(parts.front().rows) == 100);
  }
  const ai::StridedCopy planes{&number, &number, 4, {3, 100, 40}, {20000, 160, 4}, {40000, 160, 4}};
  CHECK(ai::row_parts(planes).front().channels() == 1);
}

/// The kernel is worth using for long rows on both sides, and not for transposes.
void check_worth() {
  std::uint32_t number = 0;
  const ai::StridedCopy reversed{&number, &number, 4, {512, 512}, {2048, 4}, {-2048, -4}};
  const ai::StridedCopy turned{&number, &number, 4, {512, 512}, {2048, 4}, {4, 2048}};
  const ai::StridedCopy one{&number, &number, 4, {1, 1}, {2048, 4}, {4, 2048}};
  CHECK(ai::is_worth_rows(reversed));
  CHECK(!ai::is_worth_rows(turned));
  CHECK(ai::is_worth_rows(one));
  // Words of 16 bytes, and channels with more than one unused unit between pixels, are not worth
  // it.
  const ai::StridedCopy wide{&number, &number, 16, {512, 512}, {8192, 16}, {-8192, -16}};
  const ai::StridedCopy padded{&number, &number, 4, {3, 100, 40}, {20000, 160, 4}, {4, 640, 16}};
  const ai::StridedCopy apart{&number, &number, 4, {3, 100, 40}, {20000, 160, 4}, {4, 800, 20}};
  CHECK(!ai::is_worth_rows(wide));
  CHECK(ai::is_worth_rows(padded));
  CHECK(!ai::is_worth_rows(apart));
}

}  // namespace

void check_row_copy() {
  check_long_row();
  check_many_rows();
  check_channels();
  check_worth();
  std::mt19937 random = random_of(8);
  for_random_layouts(random, 9, check_layout);
}
