#include "kernels/host/pieces.hpp"

#include <algorithm>
#include <cstdint>

#include "kernels/host/copy.hpp"
#include "test/kernels/sections.hpp"
#include "test/kernels/support/layout.hpp"
#include "test/kernels/support/random.hpp"
#include "test/support/check.hpp"

using array_interface::pieces_of;
using array_interface::StridedCopy;
using array_interface::unit_count;

namespace {

unsigned char bytes[64];

/// Returns the pieces' lengths along an axis, which must be the only one that differs.
std::vector<std::int64_t> lengths_of(const StridedCopy& copy, std::size_t axis, std::size_t most) {
  std::vector<std::int64_t> lengths;
  std::int64_t start = 0;
  for (const StridedCopy& piece : pieces_of(copy, most)) {
    CHECK(piece.destination == bytes + start * copy.destination_strides[axis]);
    CHECK(piece.source == bytes + start * copy.source_strides[axis]);
    std::vector<std::int64_t> others = piece.lengths;
    others[axis] = copy.lengths[axis];
    CHECK(others == copy.lengths);
    lengths.push_back(piece.lengths[axis]);
    start += piece.lengths[axis];
  }
  CHECK(start == copy.lengths[axis]);
  return lengths;
}

/// Pieces share as few cache lines as possible.
void check_axes() {
  using Lengths = std::vector<std::int64_t>;
  const StridedCopy turned{bytes, bytes, 4, {4096, 4096}, {16384, 4}, {4, 16384}};
  CHECK(lengths_of(turned, 0, 2) == Lengths({2048, 2048}));
  CHECK(lengths_of(turned, 0, 3) == Lengths({1344, 1344, 1408}));
  const StridedCopy channels{bytes, bytes, 1, {3, 1000000}, {1000000, 1}, {1, 3}};
  CHECK(lengths_of(channels, 1, 2) == Lengths({499968, 500032}));
  const StridedCopy images{bytes, bytes, 1, {2, 3, 5000}, {15000, 5000, 1}, {15000, 1, 3}};
  CHECK(lengths_of(images, 0, 2) == Lengths({1, 1}));
  const StridedCopy fill{bytes, bytes, 4, {1000, 1000}, {4000, 4}, {0, 0}};
  CHECK(lengths_of(fill, 0, 4) == Lengths({250, 250, 250, 250}));
  const StridedCopy reversed{bytes, bytes, 8, {20000}, {8}, {-8}};
  CHECK(lengths_of(reversed, 0, 2) == Lengths({9984, 10016}));
  const StridedCopy small{bytes, bytes, 1, {2, 5}, {5, 1}, {1, 2}};
  CHECK(lengths_of(small, 1, 3) == Lengths({2, 2, 1}));
  CHECK(lengths_of(small, 1, 100) == Lengths({1, 1, 1, 1, 1}));
  CHECK(pieces_of(small, 1).size() == 1 && pieces_of({bytes, bytes, 1, {}, {}, {}}, 9).size() == 1);
}

}  // namespace

void check_pieces() {
  check_axes();
  std::mt19937 random = random_of(9);
  for (int round = 0; round < rounds(2000); ++round) {
    const std::uint32_t unit = 1u << random() % 5;
    Layout layout = round % 2 == 0 ? random_layout(random, random() % 7, unit, round % 4 == 0)
                                   : random_permutation(random, unit);
    if (unit_count(layout.copy) == 0) continue;
    const Subject named(text_of(layout.copy));
    const auto expected = copied_naively(layout);
    const std::size_t most = 1 + random() % 9;
    const auto pieces = pieces_of(layout.copy, most);
    CHECK(!pieces.empty() && pieces.size() <= most);
    std::uint64_t units = 0;
    for (const StridedCopy& piece : pieces) {
      array_interface::strided_copy(piece);
      units += unit_count(piece);
    }
    CHECK(units == unit_count(layout.copy));
    CHECK(layout.destination == expected);
  }
}
