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

/// Bytes of shared memory per tile; TILE_BYTES in block_copy.cl.
inline constexpr std::uint32_t block_tile_bytes = 16896;

/// The specialisation of block_copy for unchanged units of 16 bytes.
inline constexpr std::uint32_t block_bytes_16 = 15 | 15 << 8;

/// Maximum blocks of one launch: the driver's limit on a grid's first axis.
inline constexpr std::uint64_t block_limit = 0x7fffffff;

/// Below this number of units, the unspecialised kernels, which move unit by unit, are as fast.
inline constexpr std::uint64_t block_fewest_units = 1 << 14;

/// A copy by block_copy.
struct BlockCopy {
  std::uint32_t conversion;  ///< conversion_code(); a type to itself if bytes are unchanged
  StridedCopy around;        ///< the axes that tiles are not cut from
  TilePair pair;
};

/// Returns the copy in tiles if tiles are faster than one unit after another. That is so for
/// transposes, channels, reversals and conversions of at least `fewest` units. Empty for other
/// copies, for conversions of complex numbers, and for more tiles than a launch can have. Throws
/// std::invalid_argument as validate() does. Does not check alignment; require_alignment() does.
std::optional<BlockCopy> block_copy_of(const StridedCopy& copy,
                                       std::uint64_t fewest = block_fewest_units);

/// Returns the subset of block_packed_loads and block_packed_stores that a copy in tiles allows:
/// its 4-byte words are 4-byte aligned in every tile and line. `around` is BlockCopy's.
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
