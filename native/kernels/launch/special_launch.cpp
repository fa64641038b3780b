#include "kernels/launch/special_launch.hpp"

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

namespace array_interface {
namespace {

/// The complex number whose two words a conversion changes alike, if it is one of words.
std::optional<ElementType> pair_of(const Conversion& words) {
  if (words.from != words.to) return std::nullopt;
  if (words.from == ElementType::kUint32) return ElementType::kComplex64;
  if (words.from == ElementType::kUint64) return ElementType::kComplex128;
  return std::nullopt;
}

/// Takes the words of complex numbers two at a time: a row of two is slow.
StridedCopy in_pairs(const StridedCopy& copy) {
  if (!copy.conversion) return copy;
  Conversion conversion = *copy.conversion;
  const auto pair = pair_of(conversion);
  if (!pair) return copy;
  conversion.from = conversion.to = *pair;
  const std::int64_t word = copy.unit;
  for (std::size_t axis = 0; axis < copy.lengths.size(); ++axis) {
    const bool is_dense =
        copy.destination_strides[axis] == word && copy.source_strides[axis] == word;
    if (copy.lengths[axis] != 2 || !is_dense) continue;
    StridedCopy pairs = without(copy, axis);
    pairs.conversion = conversion;
    pairs.unit = size_of(*pair);
    return pairs;
  }
  return copy;
}

}  // namespace

bool SpecialKernel::operator<(const SpecialKernel& other) const noexcept {
  return std::tie(is_tiles, conversion, steps, axes) <
         std::tie(other.is_tiles, other.conversion, other.steps, other.axes);
}

std::vector<SpecialPart> special_parts(const StridedCopy& whole, Tiles tiles) {
  validate(whole);
  std::vector<SpecialPart> parts;
  if (unit_count(whole) == 0) return parts;
  const StridedCopy copy = in_pairs(whole);
  if (tiles == Tiles::kAllowed && !is_worth_rows(copy)) {
    TilePart part = tile_part(copy);
    parts.push_back({{true, part.conversion, part.steps, 0}, std::move(part)});
    return parts;
  }
  for (RowPart& part : row_parts(copy)) {
    parts.push_back({{false, part.conversion, part.steps, part.axes}, std::move(part)});
  }
  return parts;
}

}  // namespace array_interface
