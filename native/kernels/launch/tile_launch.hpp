#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/launch/tile_arguments.hpp"
#include "kernels/layout/offsets.hpp"
#include "kernels/layout/strided_copy.hpp"

namespace array_interface {

/// Local memory of one item of tile_copy.cl: two tiles and its tables.
inline constexpr std::size_t tile_local_bytes = (2 * 64 + 56) * std::size_t{1024};

/// A copy of at least one element, performed by one kernel of tile_copy.
struct TilePart {
  std::uint32_t conversion;  ///< CONVERSION; a type to itself if bytes are unchanged
  std::uint32_t steps;       ///< STEPS
  StridedCopy around;        ///< the axes that a launch does not cover
  TileArguments arguments;   ///< those of the first launch
};

/// Call validate() first.
TilePart tile_part(const StridedCopy& copy);

/// Calls `launch(TileArguments&)` for each launch that the part needs. Launches are independent.
template <typename Launch>
void for_each_tile_launch(const TilePart& part, Launch&& launch) {
  std::vector<std::size_t> axes(part.around.lengths.size());
  for (std::size_t axis = 0; axis < axes.size(); ++axis) axes[axis] = axis;
  for_each_offset(part.around, axes, [&](std::int64_t to, std::int64_t from) {
    TileArguments arguments = part.arguments;
    arguments.destination = static_cast<char*>(arguments.destination) + to;
    arguments.source = static_cast<const char*>(arguments.source) + from;
    launch(arguments);
  });
}

}  // namespace array_interface
