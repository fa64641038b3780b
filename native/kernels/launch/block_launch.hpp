#pragma once

#include <cstdint>
#include <optional>

#include "kernels/launch/block_arguments.hpp"
#include "kernels/launch/kernel_arguments.hpp"
#include "kernels/launch/launch.hpp"
#include "kernels/layout/strided_copy.hpp"

namespace array_interface {

/// Flags of block_copy (block_copy.cl).
inline constexpr std::uint32_t block_turned = 1;
inline constexpr std::uint32_t block_packed_loads = 2;
inline constexpr std::uint32_t block_packed_stores = 4;

/// Bytes of shared memory that a tile has; TILE_BYTES in block_copy.cl.
inline constexpr std::uint32_t block_tile_bytes = 16896;

/// What block_copy is specialised for where units of 16 bytes stay as they are.
inline constexpr std::uint32_t block_bytes_16 = 15 | 15 << 8;

/// Most blocks of one launch: the driver's limit along a grid's first axis.
inline constexpr std::uint64_t block_limit = 0x7fffffff;

/// With fewer units, kernels for all conversions are as fast, unit by unit.
inline constexpr std::uint64_t block_fewest_units = 1 << 14;

/// A copy by block_copy.
struct BlockCopy {
  std::uint32_t conversion;  ///< conversion_code(), a type to itself where bytes stay as they are
  StridedCopy around;        ///< the axes that tiles are not cut from
  TilePair pair;
};

/// The copy by tiles, where tiles are faster than one unit after another: for transposes, channels,
/// reversals and conversions, of at least `fewest` units. None for other copies, for complex
/// numbers that are converted, and for more tiles than a launch has. Throws std::invalid_argument
/// as validate() does. require_alignment() checks alignment.
std::optional<BlockCopy> block_copy_of(const StridedCopy& copy,
                                       std::uint64_t fewest = block_fewest_units);

/// Those of block_packed_loads and block_packed_stores that a copy in tiles allows: its words of 4
/// bytes lie at multiples of 4, in every tile and line. `around` as BlockCopy has it.
std::uint32_t packed_flags(const StridedCopy& around, const TilePair& pair);

/// Calls `launch(BlockArguments&)` for each launch that the copy needs, of blocks() blocks.
/// Launches are independent.
template <typename Launch>
void for_each_block_launch(const BlockCopy& copy, Launch&& launch) {
  const LaunchLimits limits{kernel_rank, block_limit / copy.pair.tiles()};
  for_each_launch(
      copy.around,
      [&](const KernelArguments& layout) {
        BlockArguments arguments{layout, copy.pair};
        launch(arguments);
      },
      limits);
}

}  // namespace array_interface
