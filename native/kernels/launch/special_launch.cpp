#include "kernels/launch/special_launch.hpp"

#include <tuple>
#include <utility>

namespace array_interface {

bool SpecialKernel::operator<(const SpecialKernel& other) const noexcept {
  return std::tie(is_tiles, conversion, steps, axes) <
         std::tie(other.is_tiles, other.conversion, other.steps, other.axes);
}

std::vector<SpecialPart> special_parts(const StridedCopy& copy, Tiles tiles) {
  validate(copy);
  std::vector<SpecialPart> parts;
  if (unit_count(copy) == 0) return parts;
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
