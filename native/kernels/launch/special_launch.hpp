#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "kernels/launch/row_launch.hpp"
#include "kernels/launch/tile_launch.hpp"

namespace array_interface {

/// A kernel specialised for one kind of copy. Usable as the key of a map.
struct SpecialKernel {
  bool is_tiles;             ///< tile_copy rather than row_copy
  std::uint32_t conversion;  ///< CONVERSION
  std::uint32_t steps;       ///< STEPS
  std::uint32_t axes;        ///< AXES

  const char* name() const noexcept { return is_tiles ? "tile_copy" : "row_copy"; }
  bool operator<(const SpecialKernel& other) const noexcept;
};

/// A part of a copy, and the kernel that performs it.
struct SpecialPart {
  SpecialKernel kernel;
  std::variant<RowPart, TilePart> work;
};

/// Whether items have memory for one tile each. Those of CPUs do, in their caches.
enum class Tiles { kAllowed, kRefused };

/// Splits a copy into parts; none for a copy of no elements. Every element is in exactly one part.
/// Throws std::invalid_argument as validate() does.
std::vector<SpecialPart> special_parts(const StridedCopy& copy, Tiles tiles = Tiles::kAllowed);

/// One launch: the number of items along each index, slowest first, and the arguments.
struct SpecialLaunch {
  std::array<std::size_t, 2> items;
  std::size_t rank;  ///< of `items`
  std::variant<RowArguments, TileArguments> arguments;
};

/// Calls `launch(SpecialLaunch&)` for each launch that the part needs. Launches are independent.
template <typename Launch>
void for_each_special_launch(const SpecialPart& part, Launch&& launch) {
  if (const auto* const rows = std::get_if<RowPart>(&part.work)) {
    for_each_row_launch(*rows, [&](const RowArguments& arguments) {
      const auto count = static_cast<std::size_t>(arguments.layout.count);
      SpecialLaunch made{{count, rows->columns}, 2, arguments};
      launch(made);
    });
    return;
  }
  for_each_tile_launch(std::get<TilePart>(part.work), [&](const TileArguments& arguments) {
    SpecialLaunch made{{static_cast<std::size_t>(arguments.items), 1}, 1, arguments};
    launch(made);
  });
}

}  // namespace array_interface
