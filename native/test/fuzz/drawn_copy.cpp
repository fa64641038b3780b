#include "drawn_copy.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

using array_interface::Conversion;
using array_interface::element_type_count;
using array_interface::ElementType;

namespace {

/// Mostly few, which take less time; many elements make several tiles.
constexpr std::int64_t few_elements = 500;
constexpr std::int64_t many_elements = 20'000;

ElementType drawn_type(Numbers& numbers) {
  return static_cast<ElementType>(numbers.Below(element_type_count));
}

std::int64_t drawn_length(Numbers& numbers) {
  const std::uint8_t kind = numbers.Byte();
  if (kind == 255) return 0;
  return 1 + (kind < 128 ? kind % 5 : static_cast<std::int64_t>(numbers.Below(320)));
}

std::vector<std::int64_t> drawn_lengths(Numbers& numbers) {
  const std::uint32_t usual = numbers.Below(10);
  std::vector<std::int64_t> lengths(usual == 9 ? numbers.Below(65) : usual);
  std::int64_t room = numbers.Below(16) == 15 ? many_elements : few_elements;
  for (std::int64_t& length : lengths) {
    length = std::min(drawn_length(numbers), room);
    room /= std::max<std::int64_t>(length, 1);
  }
  return lengths;
}

/// Strides with which no two elements share bytes. Axes of length 1 get arbitrary strides.
std::vector<std::int64_t> drawn_strides(Numbers& numbers, const std::vector<std::int64_t>& lengths,
                                        std::int64_t unit) {
  std::vector<std::size_t> axes(lengths.size());  // axes that have no stride yet
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  std::vector<std::int64_t> strides(lengths.size(), 0);
  for (std::int64_t reach = unit; !axes.empty();) {
    // Prefers the last axis, as in C order.
    const auto place = axes.size() - 1 - numbers.Below(static_cast<std::uint32_t>(axes.size()));
    const std::size_t axis = axes[place];
    axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(place));
    const std::uint8_t how = numbers.Byte();
    const std::int64_t stride = reach + (how < 128 ? 0 : how % 20);
    strides[axis] = how % 2 == 0 ? stride : -stride;
    if (lengths[axis] == 1) {
      strides[axis] = numbers.Word();
    } else {
      reach = stride * std::max<std::int64_t>(lengths[axis], 1);
    }
  }
  return strides;
}

/// Makes some axes repeat or overlap.
void loosen(Numbers& numbers, const std::vector<std::int64_t>& lengths,
            std::vector<std::int64_t>& strides) {
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    const std::uint8_t how = numbers.Byte();
    if (lengths[axis] == 1 || how < 192) continue;
    strides[axis] = how < 224 ? 0 : static_cast<std::int64_t>(numbers.Byte()) - 128;
  }
}

/// A buffer that ends where the layout does, with a few bytes before it.
std::vector<unsigned char> buffer_around(Numbers& numbers, const std::vector<std::int64_t>& lengths,
                                         const std::vector<std::int64_t>& strides,
                                         std::int64_t unit, std::int64_t& origin) {
  origin = numbers.Below(17);
  std::int64_t size = origin + unit;
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    if (lengths[axis] < 2) continue;
    const std::int64_t reach = (lengths[axis] - 1) * strides[axis];
    if (reach < 0) origin -= reach;
    size += reach < 0 ? -reach : reach;
  }
  std::vector<unsigned char> bytes(static_cast<std::size_t>(size));
  std::uint32_t state = numbers.Below(65536);
  for (unsigned char& byte : bytes) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<unsigned char>(state >> 24);
  }
  return bytes;
}

}  // namespace

Layout drawn_copy(Numbers& numbers) {
  Layout layout;
  auto& copy = layout.copy;
  copy.unit = 1u << numbers.Below(5);
  if (numbers.Below(3) == 2) {
    copy.conversion = Conversion{drawn_type(numbers), drawn_type(numbers), numbers.Flag(),
                                 numbers.Flag(), numbers.Flag()};
    copy.unit = size_of(copy.conversion->to);
  }
  copy.lengths = drawn_lengths(numbers);
  copy.destination_strides = drawn_strides(numbers, copy.lengths, copy.unit);
  copy.source_strides = drawn_strides(numbers, copy.lengths, copy.source_unit());
  loosen(numbers, copy.lengths, copy.source_strides);
  layout.destination = buffer_around(numbers, copy.lengths, copy.destination_strides, copy.unit,
                                     layout.destination_origin);
  layout.source = buffer_around(numbers, copy.lengths, copy.source_strides, copy.source_unit(),
                                layout.source_origin);
  copy.destination = layout.destination.data() + layout.destination_origin;
  copy.source = layout.source.data() + layout.source_origin;
  return layout;
}
