#include "layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>

#include "kernels/host/convert/convert.hpp"

namespace {

int pick(std::mt19937& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

/// Returns the offset of the element with this number in C order.
std::int64_t offset_of(std::int64_t element, const std::vector<std::int64_t>& lengths,
                       const std::vector<std::int64_t>& strides) {
  std::int64_t offset = 0;
  for (std::size_t axis = lengths.size(); axis-- > 0;) {
    offset += element % lengths[axis] * strides[axis];
    element /= lengths[axis];
  }
  return offset;
}

std::int64_t elements(const std::vector<std::int64_t>& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), std::int64_t{1}, std::multiplies<>());
}

/// Makes a buffer around the extent of these strides. Sets `origin` to the offset of the first
/// element.
std::vector<unsigned char> buffer_for(const Layout& layout,
                                      const std::vector<std::int64_t>& strides, std::int64_t unit,
                                      std::int64_t guard, std::mt19937& random,
                                      std::int64_t& origin) {
  const Touched touched = touched_naively(layout.copy, strides, unit);
  origin = guard - touched.low;
  std::vector<unsigned char> bytes(
      static_cast<std::size_t>(touched.high - touched.low + 2 * guard));
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
  return bytes;
}

void reverse_each(std::array<unsigned char, 16>& bytes, std::size_t size, std::size_t unit) {
  for (std::size_t at = 0; at < unit; at += size) {
    std::reverse(bytes.begin() + at, bytes.begin() + at + size);
  }
}

bool is_float(array_interface::ElementType type) {
  return type >= array_interface::ElementType::kFloat16;
}

bool is_integer(array_interface::ElementType type) {
  return !is_float(type) && type != array_interface::ElementType::kBool;
}

/// Writes the nearest integer to a float, ties to even, by way of a double.
void round_naively(unsigned char* to, const unsigned char* from,
                   const array_interface::Conversion& conversion) {
  using array_interface::converter;
  using array_interface::ElementType;
  double value = 0;
  auto* const bytes = reinterpret_cast<unsigned char*>(&value);
  if (conversion.from == ElementType::kFloat64) {
    std::copy_n(from, sizeof value, bytes);
  } else {
    converter(ElementType::kFloat64, conversion.from)(bytes, from, 1);
  }
  value = std::nearbyint(value);
  converter(conversion.to, ElementType::kFloat64)(to, bytes, 1);
}

/// Returns one element, swapped and converted as the copy says.
std::array<unsigned char, 16> converted_naively(const array_interface::StridedCopy& copy,
                                                const unsigned char* element) {
  std::array<unsigned char, 16> from{};
  std::copy_n(element, copy.source_unit(), from.begin());
  if (!copy.conversion) return from;
  const array_interface::Conversion& conversion = *copy.conversion;
  if (conversion.swaps_source) {
    reverse_each(from, array_interface::word_size(conversion.from), copy.source_unit());
  }
  std::array<unsigned char, 16> to = from;
  const auto convert = array_interface::converter(conversion.to, conversion.from);
  if (conversion.rounds && is_float(conversion.from) && is_integer(conversion.to)) {
    round_naively(to.data(), from.data(), conversion);
  } else if (convert != nullptr) {
    convert(to.data(), from.data(), 1);
  }
  if (conversion.swaps_destination) {
    reverse_each(to, array_interface::word_size(conversion.to), copy.unit);
  }
  return to;
}

std::string listed(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "{" + text + "}";
}

}  // namespace

std::string text_of(const array_interface::StridedCopy& copy) {
  std::string text = "units of " + std::to_string(copy.unit) + ", lengths " + listed(copy.lengths) +
                     ", destination strides " + listed(copy.destination_strides) +
                     ", source strides " + listed(copy.source_strides);
  if (!copy.conversion) return text;
  const array_interface::Conversion& conversion = *copy.conversion;
  text += ", element type " + std::to_string(static_cast<int>(conversion.from)) + " to " +
          std::to_string(static_cast<int>(conversion.to));
  if (conversion.swaps_source) text += ", source swapped";
  if (conversion.swaps_destination) text += ", destination swapped";
  if (conversion.rounds) text += ", rounded";
  return text;
}

Touched touched_naively(const array_interface::StridedCopy& copy,
                        const std::vector<std::int64_t>& strides, std::int64_t unit) {
  Touched touched;
  for (std::int64_t element = 0; element < elements(copy.lengths); ++element) {
    const std::int64_t offset = offset_of(element, copy.lengths, strides);
    touched.low = std::min(touched.low, offset);
    touched.high = std::max(touched.high, offset + unit);
  }
  return touched;
}

Layout random_layout(std::mt19937& random, std::size_t rank, std::uint32_t unit, bool aligned) {
  Layout layout;
  auto& copy = layout.copy;
  copy.unit = unit;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    copy.lengths.push_back(pick(random, 0, 60) == 0 ? 0 : pick(random, 1, rank > 6 ? 2 : 4));
  }
  const std::int64_t grain = aligned ? unit : 1;
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (pick(random, 0, 2) > 0) {
    std::shuffle(order.begin(), order.end(), random);
  } else {
    std::reverse(order.begin(), order.end());
  }
  copy.destination_strides.assign(rank, 0);
  copy.source_strides.assign(rank, 0);
  const bool gaps = pick(random, 0, 2) > 0;
  const bool signs = pick(random, 0, 2) > 0;
  std::int64_t reach = unit;
  for (const std::size_t axis : order) {
    const std::int64_t stride = reach + (gaps ? pick(random, 0, 2) * grain : 0);
    copy.destination_strides[axis] = signs && pick(random, 0, 1) ? -stride : stride;
    const std::int64_t other = gaps ? pick(random, -3, 3) * grain * 5 : stride;
    copy.source_strides[axis] = signs && pick(random, 0, 1) ? -other : other;
    reach = stride * std::max<std::int64_t>(copy.lengths[axis], 1);
  }
  const std::int64_t guard = 16 + (aligned ? 0 : pick(random, 1, 15));
  layout.destination =
      buffer_for(layout, copy.destination_strides, unit, guard, random, layout.destination_origin);
  layout.source =
      buffer_for(layout, copy.source_strides, unit, guard, random, layout.source_origin);
  copy.destination = layout.destination.data() + layout.destination_origin;
  copy.source = layout.source.data() + layout.source_origin;
  return layout;
}

namespace {

/// `longest` and `most` are the maximal units of an axis and of the layout.
Layout permutation(std::mt19937& random, std::uint32_t unit,
                   std::optional<array_interface::Conversion> conversion, int longest, int most) {
  Layout layout;
  auto& copy = layout.copy;
  copy.unit = unit;
  copy.conversion = conversion;
  const auto rank = static_cast<std::size_t>(pick(random, 2, 6));
  int room = most;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const int length = pick(random, 0, 1) ? pick(random, 1, 5) : pick(random, 6, longest);
    copy.lengths.push_back(std::min(length, room));
    room /= std::min(length, room);
  }
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (auto* strides : {&copy.destination_strides, &copy.source_strides}) {
    strides->assign(rank, 0);
    std::shuffle(order.begin(), order.end(), random);
    const bool gaps = pick(random, 0, 2) == 0;
    std::int64_t reach = strides == &copy.source_strides ? copy.source_unit() : unit;
    for (const std::size_t axis : order) {
      const std::int64_t stride = reach + (gaps ? pick(random, 0, 5) : 0);
      (*strides)[axis] = pick(random, 0, 3) == 0 ? -stride : stride;
      reach = stride * copy.lengths[axis];
    }
  }
  if (pick(random, 0, 5) == 0) copy.source_strides[order[0]] = 0;
  layout.destination =
      buffer_for(layout, copy.destination_strides, unit, 17, random, layout.destination_origin);
  layout.source =
      buffer_for(layout, copy.source_strides, copy.source_unit(), 23, random, layout.source_origin);
  copy.destination = layout.destination.data() + layout.destination_origin;
  copy.source = layout.source.data() + layout.source_origin;
  return layout;
}

}  // namespace

Layout random_permutation(std::mt19937& random, const array_interface::Conversion& conversion) {
  return random_permutation(random, size_of(conversion.to), conversion);
}

Layout random_permutation(std::mt19937& random, std::uint32_t unit,
                          std::optional<array_interface::Conversion> conversion) {
  return permutation(random, unit, conversion, 150, pick(random, 0, 3) == 0 ? 22'500 : 3'000);
}

Layout random_large_permutation(std::mt19937& random, std::uint32_t unit,
                                std::optional<array_interface::Conversion> conversion) {
  return permutation(random, unit, conversion, 1'500, 1'000'000);
}

Layout random_twos(std::mt19937& random, std::size_t rank, std::uint32_t unit) {
  Layout layout;
  auto& copy = layout.copy;
  copy.unit = unit;
  copy.lengths.assign(rank, 2);
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (auto* strides : {&copy.destination_strides, &copy.source_strides}) {
    strides->assign(rank, 0);
    std::shuffle(order.begin(), order.end(), random);
    std::int64_t reach = unit;
    for (const std::size_t axis : order) {
      (*strides)[axis] = reach;
      reach *= 2;
    }
  }
  layout.destination =
      buffer_for(layout, copy.destination_strides, unit, 16, random, layout.destination_origin);
  layout.source = buffer_for(layout, copy.source_strides, unit, 16, random, layout.source_origin);
  copy.destination = layout.destination.data() + layout.destination_origin;
  copy.source = layout.source.data() + layout.source_origin;
  return layout;
}

std::vector<unsigned char> copied_naively(const Layout& layout) {
  std::vector<unsigned char> bytes = layout.destination;
  const auto& copy = layout.copy;
  for (std::int64_t element = 0; element < elements(copy.lengths); ++element) {
    const std::int64_t to =
        layout.destination_origin + offset_of(element, copy.lengths, copy.destination_strides);
    const std::int64_t from =
        layout.source_origin + offset_of(element, copy.lengths, copy.source_strides);
    const auto value = converted_naively(copy, &layout.source[static_cast<std::size_t>(from)]);
    std::copy_n(value.begin(), copy.unit, bytes.begin() + to);
  }
  return bytes;
}
