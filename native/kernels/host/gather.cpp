#include <cstring>

#include "kernels/host/block.hpp"
#include "kernels/host/tile.hpp"
#include "kernels/host/units.hpp"
#include "kernels/host/wide_vectors.hpp"

namespace array_interface {
namespace {

/// Row after row, whatever the strides.
template <typename Unit>
void gather_any(unsigned char* dense, const unsigned char* from, const Tile& tile) {
  for (std::int64_t row = 0; row < tile.rows; ++row) {
    const unsigned char* next = from + row * tile.row_stride;
    for (std::int64_t column = 0; column < tile.columns; ++column) {
      move<Unit>(dense, next);
      dense += sizeof(Unit);
      next += tile.column_stride;
    }
  }
}

/// Rows of which each is contiguous, forwards.
void gather_runs(std::size_t run, unsigned char* dense, const unsigned char* from,
                 const Tile& tile) {
  for (std::int64_t row = 0; row < tile.rows; ++row) {
    std::memcpy(dense, from + row * tile.row_stride, run);
    dense += run;
  }
}

/// Rows of which each is contiguous, backwards: a stride that the compiler knows.
template <typename Unit>
void gather_reversed(unsigned char* __restrict dense, const unsigned char* __restrict from,
                     const Tile& tile) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Unit));
  for (std::int64_t row = 0; row < tile.rows; ++row) {
    const unsigned char* first = from + row * tile.row_stride - (tile.columns - 1) * size;
    for (std::int64_t column = 0; column < tile.columns; ++column) {
      move<Unit>(dense + column * size, first + (tile.columns - 1 - column) * size);
    }
    dense += tile.columns * size;
  }
}

/// `rows` streams of units that lie interleaved: channels last to channels first.
template <typename Unit, std::int64_t rows>
void gather_interleaved(unsigned char* __restrict dense, const unsigned char* __restrict from,
                        std::int64_t columns) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Unit));
  for (std::int64_t column = 0; column < columns; ++column) {
    for (std::int64_t row = 0; row < rows; ++row) {
      move<Unit>(dense + (row * columns + column) * size, from + (column * rows + row) * size);
    }
  }
}

/// `columns` streams of units that become interleaved: channels first to channels last.
template <typename Unit, std::int64_t columns>
void gather_into_pixels(unsigned char* __restrict dense, const unsigned char* __restrict from,
                        const Tile& tile) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Unit));
  for (std::int64_t row = 0; row < tile.rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      move<Unit>(dense + (row * columns + column) * size,
                 from + row * size + column * tile.column_stride);
    }
  }
}

/// Columns of which each is contiguous: squares are turned in registers, the edges one by one.
template <typename Unit>
void gather_transposed(unsigned char* dense, const unsigned char* from, const Tile& tile) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Unit));
  constexpr auto side = static_cast<std::int64_t>(Lanes<Unit>::count);
  const std::int64_t rows = tile.rows - tile.rows % side;
  const std::int64_t columns = tile.columns - tile.columns % side;
  const std::int64_t width = tile.columns * size;
  for (std::int64_t column = 0; column < columns; column += side) {
    for (std::int64_t row = 0; row < rows; row += side) {
      transpose_block<Unit>(dense + row * width + column * size, width,
                            from + row * size + column * tile.column_stride, tile.column_stride);
    }
  }
  for (std::int64_t row = 0; row < tile.rows; ++row) {
    for (std::int64_t column = row < rows ? columns : 0; column < tile.columns; ++column) {
      move<Unit>(dense + row * width + column * size,
                 from + row * size + column * tile.column_stride);
    }
  }
}

template <typename Unit>
void gather_units(unsigned char* dense, const unsigned char* from, const Tile& tile) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Unit));
  if (tile.column_stride == size) {
    return gather_runs(static_cast<std::size_t>(tile.columns * size), dense, from, tile);
  }
  if (tile.column_stride == -size) return gather_reversed<Unit>(dense, from, tile);
  if constexpr (sizeof(Unit) < 16) {
    if (tile.row_stride == size) {
      const bool is_pixels = tile.column_stride == tile.rows * size;
      if (is_pixels && tile.rows == 2)
        return gather_interleaved<Unit, 2>(dense, from, tile.columns);
      if (is_pixels && tile.rows == 3)
        return gather_interleaved<Unit, 3>(dense, from, tile.columns);
      if (is_pixels && tile.rows == 4)
        return gather_interleaved<Unit, 4>(dense, from, tile.columns);
      if (tile.columns == 2) return gather_into_pixels<Unit, 2>(dense, from, tile);
      if (tile.columns == 3) return gather_into_pixels<Unit, 3>(dense, from, tile);
      if (tile.columns == 4) return gather_into_pixels<Unit, 4>(dense, from, tile);
      return gather_transposed<Unit>(dense, from, tile);
    }
  }
  gather_any<Unit>(dense, from, tile);
}

void gather_plain(std::uint32_t unit, unsigned char* dense, const unsigned char* from,
                  const Tile& tile) {
  with_unit(unit, [&](auto zero) { gather_units<decltype(zero)>(dense, from, tile); });
}

FOR_WIDE_VECTORS void gather_wide(std::uint32_t unit, unsigned char* dense,
                                  const unsigned char* from, const Tile& tile) {
  with_unit(unit, [&](auto zero) { gather_units<decltype(zero)>(dense, from, tile); });
}

}  // namespace

void gather(std::uint32_t unit, unsigned char* dense, const unsigned char* from, const Tile& tile) {
  static const auto chosen = has_wide_vectors() ? gather_wide : gather_plain;
  chosen(unit, dense, from, tile);
}

}  // namespace array_interface
