#include "kernels/launch/block_launch.hpp"

#include <algorithm>
#include <cstdlib>

#include "kernels/launch/convert_arguments.hpp"
#include "kernels/layout/tile.hpp"

namespace array_interface {
namespace {

/// Minimum units of a block, one for each of its threads.
constexpr std::int64_t smallest_tile = 256;

/// Threads that each move this many bytes saturate the memory without tiles.
constexpr std::uint32_t wide_unit = 8;

/// This many tiles provide enough blocks even for a large GPU.
constexpr std::uint64_t many_tiles = 512;

std::optional<std::uint32_t> code_of(const StridedCopy& copy) {
  const auto is_complex = [](ElementType type) {
    return type == ElementType::kComplex64 || type == ElementType::kComplex128;
  };
  if (copy.conversion) {
    if (is_complex(copy.conversion->from) || is_complex(copy.conversion->to)) return std::nullopt;
    return conversion_code(*copy.conversion);
  }
  if (copy.unit == 16) return block_bytes_16;
  return conversion_code(copy);
}

/// Returns the axis with the shortest stride that `is_candidate` accepts; the last of equal ones.
template <typename IsCandidate>
std::optional<std::size_t> nearest(const std::vector<std::int64_t>& strides,
                                   IsCandidate&& is_candidate) {
  std::optional<std::size_t> best;
  for (std::size_t axis = strides.size(); axis-- > 0;) {
    if (!is_candidate(axis)) continue;
    if (!best || std::llabs(strides[axis]) < std::llabs(strides[*best])) best = axis;
  }
  return best;
}

/// Returns the units from one row of a tile to the next. The threads of a warp write to one column
/// of each row; the pitch puts these writes into different banks. It is an odd number of 4-byte
/// words, or of units if they are longer. Threads that move 4 bytes of one column each are four
/// bytes' rows apart.
std::int64_t pitch_of(std::int64_t columns, std::int64_t unit, bool is_packed) {
  if (is_packed || unit >= 4) return columns | 1;
  return ((columns * unit + 3) / 4 | 1) * 4 / unit;
}

/// One side of a pair of axes. Its units are closest together along `near`.
struct Side {
  const void* pointer;
  const std::vector<std::int64_t>& around;  ///< strides of the other axes
  std::int64_t unit;
  std::int64_t near_stride;
  std::int64_t far_stride;
};

/// Lengths of an axis and of the tile along it.
struct Cut {
  std::int64_t length;
  std::int64_t tile;
};

bool is_packable(const Side& side, const Cut& near, const Cut& far) {
  if (side.unit >= 4 || side.near_stride != side.unit) return false;
  auto bits = reinterpret_cast<std::uintptr_t>(side.pointer);
  for (const std::int64_t stride : side.around) bits |= static_cast<std::uintptr_t>(stride);
  if (near.tile < near.length) bits |= static_cast<std::uintptr_t>(near.tile * side.unit);
  if (far.tile < far.length) bits |= static_cast<std::uintptr_t>(far.tile * side.far_stride);
  const bool is_dense =
      near.tile == near.length && side.far_stride == near.length * side.near_stride;
  if (!is_dense) bits |= static_cast<std::uintptr_t>(side.far_stride);
  return bits % 4 == 0;
}

std::int64_t whole_lines(std::int64_t units) { return units > 128 ? units - units % 128 : units; }

/// Sets the units of a tile along rows and columns. Tiles are square for large axes, and longer the
/// other way if an axis is short, such as the channels of pixels.
void cut_turned(TilePair& pair, std::int64_t unit, std::uint64_t units) {
  const std::int64_t bytes = block_tile_bytes;
  const std::int64_t most = std::clamp<std::int64_t>(static_cast<std::int64_t>(units / many_tiles),
                                                     2048, block_tile_bytes);
  const std::int64_t square_columns = unit <= 2 ? 128 : unit <= 8 ? 64 : 32;
  const std::int64_t square_rows = unit == 1 ? 128 : unit <= 4 ? 64 : 32;
  std::int64_t rows = std::min(pair.high, square_rows);
  std::int64_t columns = std::min(pair.wide, square_columns);
  if (rows < square_rows) {
    // pitch_of() adds less than 8 bytes to a row of small units, and one unit to a row of others.
    const std::int64_t padding = std::max<std::int64_t>(8 / unit, 1);
    const std::int64_t room = std::min(bytes / (rows * unit) - padding, most / rows);
    columns = std::min(pair.wide, std::max(columns, whole_lines(room)));
  } else if (columns < square_columns) {
    const std::int64_t pitch =
        std::max(pitch_of(columns, unit, true), pitch_of(columns, unit, false));
    const std::int64_t room = std::min(bytes / (pitch * unit), most / columns);
    rows = std::min(pair.high, std::max(rows, whole_lines(room)));
  }
  pair.rows = static_cast<std::uint32_t>(rows);
  pair.columns = static_cast<std::uint32_t>(columns);
}

/// Sets the units of a tile if both sides run along the columns: whole rows, or a large part of
/// one. Large counts are rounded to a multiple, so that 4-byte words stay whole.
void cut_straight(TilePair& pair, std::int64_t unit, std::uint64_t units) {
  const std::int64_t most =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(units / many_tiles), 2048, 16384 / unit);
  const std::int64_t columns = std::min(pair.wide, whole_lines(most));
  pair.columns = static_cast<std::uint32_t>(columns);
  pair.rows = static_cast<std::uint32_t>(std::min(pair.high, whole_lines(most / columns)));
}

/// Sets the number of tiles. Returns false if a launch cannot have that many.
bool count_tiles(TilePair& pair) {
  const std::int64_t across = ceiling(pair.wide, pair.columns);
  const std::int64_t down = ceiling(pair.high, pair.rows);
  std::int64_t tiles = 0;
  if (__builtin_mul_overflow(across, down, &tiles)) return false;
  if (tiles > static_cast<std::int64_t>(block_limit)) return false;
  pair.across = static_cast<std::uint32_t>(across);
  pair.down = static_cast<std::uint32_t>(down);
  return true;
}

}  // namespace

std::uint32_t packed_flags(const StridedCopy& around, const TilePair& pair) {
  const bool is_turned = (pair.flags & block_turned) != 0;
  const Cut wide{pair.wide, pair.columns};
  const Cut high{pair.high, pair.rows};
  const Side to{around.destination, around.destination_strides, around.unit, pair.to_column,
                pair.to_row};
  const Side from{around.source, around.source_strides, around.source_unit(),
                  is_turned ? pair.from_row : pair.from_column,
                  is_turned ? pair.from_column : pair.from_row};
  std::uint32_t flags = 0;
  if (is_packable(to, wide, high)) flags |= block_packed_stores;
  if (is_packable(from, is_turned ? high : wide, is_turned ? wide : high)) {
    flags |= block_packed_loads;
  }
  return flags;
}

std::optional<BlockCopy> block_copy_of(const StridedCopy& whole, std::uint64_t fewest) {
  validate(whole);
  const auto code = code_of(whole);
  if (!code || unit_count(whole) < std::max<std::uint64_t>(fewest, 1)) return std::nullopt;
  const StridedCopy copy = without_ones(whole);
  const auto is_other_than = [](std::size_t one) {
    return [one](std::size_t axis) { return axis != one; };
  };
  const auto nearest_column = nearest(copy.destination_strides, [](std::size_t) { return true; });
  if (!nearest_column) return std::nullopt;
  const std::size_t columns = *nearest_column;
  const auto near = nearest(copy.source_strides,
                            [&](std::size_t axis) { return copy.source_strides[axis] != 0; });
  const bool is_turned =
      near && std::llabs(copy.source_strides[*near]) < std::llabs(copy.source_strides[columns]);
  if (!is_turned && !copy.conversion && copy.unit >= wide_unit) return std::nullopt;
  const auto rows = is_turned ? near : nearest(copy.destination_strides, is_other_than(columns));

  TilePair pair;
  pair.wide = copy.lengths[columns];
  pair.to_column = copy.destination_strides[columns];
  pair.from_column = copy.source_strides[columns];
  if (rows) {
    pair.high = copy.lengths[*rows];
    pair.to_row = copy.destination_strides[*rows];
    pair.from_row = copy.source_strides[*rows];
  }
  const std::int64_t unit = copy.source_unit();
  if (is_turned) {
    cut_turned(pair, unit, unit_count(copy));
  } else {
    cut_straight(pair, unit, unit_count(copy));
  }
  if (std::int64_t{pair.columns} * pair.rows < smallest_tile || !count_tiles(pair)) {
    return std::nullopt;
  }
  StridedCopy around = copy;
  if (rows) around = without(around, std::max(*rows, columns));
  around = without(around, rows ? std::min(*rows, columns) : columns);

  if (is_turned) pair.flags = block_turned;
  pair.flags |= packed_flags(around, pair);
  const bool is_packed = (pair.flags & block_packed_loads) != 0;
  pair.pitch = static_cast<std::uint32_t>(is_turned ? pitch_of(pair.columns, unit, is_packed)
                                                    : pair.columns);
  return BlockCopy{*code, around, pair};
}

}  // namespace array_interface
