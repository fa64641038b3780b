#include "kernels/host/copy.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "kernels/host/convert/convert.hpp"
#include "kernels/host/copy_in_tiles.hpp"
#include "test/kernels/sections.hpp"
#include "test/kernels/support/halves.hpp"
#include "test/kernels/support/layout.hpp"
#include "test/kernels/support/random.hpp"
#include "test/support/check.hpp"

using array_interface::copy_in_tiles;
using array_interface::strided_copy;
using array_interface::Volume;

namespace {

/// Copies large enough to bypass the caches are split into uneven pieces, at unaligned addresses.
void check_large(std::uint32_t threads) {
  constexpr std::int64_t side = 2100;
  const Subject named("a turned square, lengths {2100, 2100}, on " + std::to_string(threads) +
                      " threads");
  std::vector<unsigned char> to(side * side + 64);
  std::vector<unsigned char> from(side * side + 64);
  std::mt19937 random = random_of(7);
  for (unsigned char& byte : from) byte = static_cast<unsigned char>(random());
  strided_copy({&to[13], &from[7], 1, {side, side}, {side, 1}, {1, side}}, threads);
  bool is_right = to[12] == 0 && to[13 + side * side] == 0;
  for (std::int64_t row = 0; row < side; ++row) {
    for (std::int64_t column = 0; column < side; ++column) {
      is_right &= to[static_cast<std::size_t>(13 + row * side + column)] ==
                  from[static_cast<std::size_t>(7 + column * side + row)];
    }
  }
  CHECK(is_right);
}

/// Checks the copy that the host chooses by its size, and the same copy as one that fits no cache.
void check_copies(Layout& layout) {
  const Subject named(text_of(layout.copy));
  const std::vector<unsigned char> before = layout.destination;
  const std::vector<unsigned char> expected = copied_naively(layout);
  strided_copy(layout.copy);
  CHECK(layout.destination == expected);
  if (unit_count(layout.copy) == 0) return;
  for (const Volume volume : {Volume::kSmall, Volume::kLarge, Volume::kVast}) {
    std::copy(before.begin(), before.end(), layout.destination.begin());
    copy_in_tiles(layout.copy, volume);
    CHECK(layout.destination == expected);
  }
}

/// More axes than a tile has, none of which can be merged.
void check_many_axes(std::mt19937& random) {
  for (int round = 0; round < rounds(100); ++round) {
    Layout layout = random_twos(random, 9 + random() % 5, 1u << random() % 5);
    check_copies(layout);
  }
}

/// Rows so long that each is copied by itself; some of them repeat.
void check_long_rows() {
  constexpr std::int64_t length = 5000;
  std::vector<unsigned char> from(3 * (length + 7));
  std::mt19937 random = random_of(8);
  for (unsigned char& byte : from) byte = static_cast<unsigned char>(random());
  for (const std::int64_t stride : {length + 7, -(length + 7), std::int64_t{0}}) {
    for (const Volume volume : {Volume::kSmall, Volume::kLarge, Volume::kVast}) {
      std::vector<unsigned char> to(3 * (length + 5), 1);
      const unsigned char* const first = &from[stride < 0 ? 2 * (length + 7) : 0];
      copy_in_tiles({to.data(), first, 1, {3, length}, {length + 5, 1}, {stride, 1}}, volume);
      for (std::int64_t row = 0; row < 3; ++row) {
        const unsigned char* const copied = &to[static_cast<std::size_t>(row * (length + 5))];
        CHECK(std::memcmp(copied, first + row * stride, length) == 0);
        CHECK(copied[length] == 1 && copied[length + 4] == 1);
      }
    }
  }
}

/// Pixels of two to five channels, split into planes or joined from planes, in both directions on
/// both sides. The stride of a plane is larger than its length.
void check_pixels(std::int64_t channels, std::int64_t width, std::int64_t unit) {
  const std::int64_t plane = (width + 3) * unit;
  const auto size = static_cast<std::size_t>(channels * plane);
  std::mt19937 random = random_of(9);
  std::vector<unsigned char> from(size);
  for (unsigned char& byte : from) byte = static_cast<unsigned char>(random());
  const array_interface::StridedCopy apart{
      nullptr,           nullptr,       static_cast<std::uint32_t>(unit),
      {channels, width}, {plane, unit}, {unit, channels * unit}};
  for (int turned = 0; turned < 8; ++turned) {
    array_interface::StridedCopy copy = apart;
    if ((turned & 1) != 0) std::swap(copy.destination_strides, copy.source_strides);
    std::size_t first = 0;
    for (const std::size_t axis : {0, 1}) {
      if ((turned >> (axis + 1) & 1) == 0) continue;
      first += static_cast<std::size_t>((copy.lengths[axis] - 1) * copy.source_strides[axis]);
      copy.source_strides[axis] *= -1;
    }
    for (const Volume volume : {Volume::kSmall, Volume::kLarge, Volume::kVast}) {
      std::vector<unsigned char> to(size, 1);
      std::vector<unsigned char> expected(size, 1);
      copy.source = &from[first];
      for (std::int64_t channel = 0; channel < channels; ++channel) {
        for (std::int64_t pixel = 0; pixel < width; ++pixel) {
          std::memcpy(
              &expected[static_cast<std::size_t>(channel * copy.destination_strides[0] +
                                                 pixel * copy.destination_strides[1])],
              &from[first] + channel * copy.source_strides[0] + pixel * copy.source_strides[1],
              static_cast<std::size_t>(unit));
        }
      }
      copy.destination = to.data();
      const Subject named(text_of(copy));
      copy_in_tiles(copy, volume);
      CHECK(to == expected);
    }
  }
}

void check_thread_counts() {
  unsigned char byte = 0;
  const array_interface::StridedCopy copy{&byte, "a", 1, {}, {}, {}};
  for (const std::uint32_t threads : {0u, array_interface::maximum_threads + 1, ~0u}) {
    CHECK(refusal([&] { strided_copy(copy, threads); }).find("1 to 1024 threads") !=
          std::string::npos);
  }
  CHECK(byte == 0);
  strided_copy(copy, array_interface::maximum_threads);
  CHECK(byte == 'a');
}

}  // namespace

void check_copy() {
  std::mt19937 random = random_of(1);
  for (std::size_t rank = 0; rank <= 9; ++rank) {
    for (const std::uint32_t unit : {1u, 2u, 4u, 8u, 16u}) {
      for (int round = 0; round < rounds(200); ++round) {
        Layout layout = random_layout(random, rank, unit, round % 2 == 0);
        check_copies(layout);
      }
    }
  }
  for (int round = 0; round < rounds(1500); ++round) {
    Layout layout = random_permutation(random, 1u << random() % 5);
    check_copies(layout);
  }

  for (int round = 0; round < rounds(3000); ++round) {
    using array_interface::Conversion;
    using array_interface::ElementType;
    const Conversion conversion{ElementType(random() % 15), ElementType(random() % 15),
                                random() % 2 == 0, random() % 2 == 0, random() % 2 == 0};
    Layout layout = random_permutation(random, conversion);
    check_copies(layout);
  }
  check_many_axes(random);
  check_long_rows();
  for (const std::int64_t channels : {2, 3, 4, 5}) {
    for (const std::int64_t width : {1, 2, 3, 4, 5, 63, 200, 7000}) {
      for (const std::int64_t unit : {1, 2, 4, 8, 16}) check_pixels(channels, width, unit);
    }
  }
  check_halves("the host", [](double value) {
    using array_interface::ElementType;
    std::uint16_t bits = 0;
    array_interface::converter(ElementType::kFloat16, ElementType::kFloat64)(
        reinterpret_cast<unsigned char*>(&bits), reinterpret_cast<const unsigned char*>(&value), 1);
    return bits;
  });
  const double number = 2.75;
  std::int16_t whole = 0;
  strided_copy({&whole,
                &number,
                2,
                {},
                {},
                {},
                array_interface::Conversion{array_interface::ElementType::kFloat64,
                                            array_interface::ElementType::kInt16}});
  CHECK(whole == 2);
  for (const std::uint32_t threads : {1u, 2u, 7u, array_interface::maximum_threads}) {
    check_large(threads);
  }
  check_thread_counts();

  unsigned char bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
  strided_copy({bytes, bytes, 1, {8}, {1}, {1}});  // onto itself: nothing changes
  CHECK(bytes[0] == 1 && bytes[7] == 8);
  const std::uint32_t pattern = 0xa1b2c3d4;
  std::uint32_t filled[6] = {};
  strided_copy({filled, &pattern, 4, {2, 3}, {12, 4}, {0, 0}});  // a fill
  for (const std::uint32_t value : filled) CHECK(value == pattern);
  strided_copy({nullptr, nullptr, 4, {2, 0}, {12, 4}, {0, 0}});  // empty: no pointers needed
  CHECK(!refusal([&] { strided_copy({nullptr, &pattern, 4, {1}, {4}, {4}}); }).empty());

  unsigned char turned[6] = {};  // no addresses are computed from strides of axes of length 1
  strided_copy({turned, bytes, 1, {2, 1, 3, 1}, {3, INT64_MIN, 1, 7}, {1, 5, 2, INT64_MAX}});
  CHECK(std::memcmp(turned, "\1\3\5\2\4\6", 6) == 0);

  std::vector<std::int64_t> ones(64, 1);
  std::vector<std::int64_t> strides(64, 0);
  strided_copy({filled, bytes, 1, ones, strides, strides});  // rank 64
  CHECK(reinterpret_cast<unsigned char*>(filled)[0] == 1);
}
