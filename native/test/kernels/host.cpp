#include "kernels/host.hpp"

#include <cstring>

#include "check.hpp"
#include "layout.hpp"
#include "random.hpp"
#include "sections.hpp"

using array_interface::strided_copy;
using array_interface::StridedCopy;

void check_host() {
  std::mt19937 random = random_of(1);
  for (std::size_t rank = 0; rank <= 9; ++rank) {
    for (const std::uint32_t unit : {1u, 2u, 4u, 8u, 16u}) {
      for (int round = 0; round < rounds(200); ++round) {
        Layout layout = random_layout(random, rank, unit, round % 2 == 0);
        const auto expected = copied_naively(layout);
        strided_copy(layout.copy);
        CHECK(layout.destination == expected);
      }
    }
  }
  for (int round = 0; round < rounds(1500); ++round) {
    Layout layout = random_permutation(random, 1u << random() % 5);
    const auto expected = copied_naively(layout);
    strided_copy(layout.copy);
    CHECK(layout.destination == expected);
  }

  unsigned char bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
  strided_copy({bytes, bytes, 1, {8}, {1}, {1}});  // onto itself: nothing changes
  CHECK(bytes[0] == 1 && bytes[7] == 8);
  const std::uint32_t pattern = 0xa1b2c3d4;
  std::uint32_t filled[6] = {};
  strided_copy({filled, &pattern, 4, {2, 3}, {12, 4}, {0, 0}});  // a fill
  for (const std::uint32_t value : filled) CHECK(value == pattern);
  strided_copy({nullptr, nullptr, 4, {2, 0}, {12, 4}, {0, 0}});  // no elements, no pointers needed
  CHECK(!refusal([&] { strided_copy({nullptr, &pattern, 4, {1}, {4}, {4}}); }).empty());

  std::vector<std::int64_t> ones(64, 1);
  std::vector<std::int64_t> strides(64, 0);
  strided_copy({filled, bytes, 1, ones, strides, strides});  // rank 64
  CHECK(reinterpret_cast<unsigned char*>(filled)[0] == 1);
}
