#pragma once

#include <cstddef>
#include <cstdint>

namespace array_interface {

/// Bytes of a tile: it and what it came from stay in the first cache.
inline constexpr std::size_t tile_bytes = std::size_t{16} * 1024;

/// A piece of two axes of a copy: `rows` by `columns` units, the columns innermost. Strides are
/// bytes, may be 0 or negative.
struct Tile {
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 0;

  std::int64_t count() const noexcept { return rows * columns; }
  /// Whether the units lie one after another, without gaps.
  bool is_dense(std::int64_t unit) const noexcept {
    return (columns == 1 || column_stride == unit) && (rows == 1 || row_stride == columns * unit);
  }
};

/// Copies a tile of `unit` (1, 2, 4, 8 or 16) bytes at `from` into `dense`, row after row.
void gather(std::uint32_t unit, unsigned char* dense, const unsigned char* from, const Tile& tile);

/// Copies `dense`, row after row, to a tile at `to`.
void scatter(std::uint32_t unit, unsigned char* to, const Tile& tile, const unsigned char* dense);

/// As scatter(), past the caches: for destinations much larger than they are. Call finish_stream()
/// before anybody else may look at the bytes.
void stream(std::uint32_t unit, unsigned char* to, const Tile& tile, const unsigned char* dense);
void finish_stream() noexcept;

}  // namespace array_interface
