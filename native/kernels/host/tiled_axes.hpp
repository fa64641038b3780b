#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/host/tile.hpp"
#include "kernels/strided_copy.hpp"

namespace array_interface {

/// The same units on both sides of a copy.
struct TileSides {
  std::int64_t to_offset = 0;  ///< bytes from where the two axes start
  std::int64_t from_offset = 0;
  Tile to;
  Tile from;
};

/// The two axes of a copy that tiles are cut from.
class TiledAxes {
 public:
  /// Takes the innermost axis, and the one whose neighbours are nearest in the source, off `axes`,
  /// as far as there are any.
  TiledAxes(const StridedCopy& copy, std::vector<std::size_t>& axes);

  /// Calls `work(TileSides)` for each tile; none is larger than tile_bytes on either side.
  template <typename Work>
  void for_each_tile(Work&& work) const {
    for (std::int64_t row = 0; row < rows_.length; row += tile_rows_) {
      for (std::int64_t column = 0; column < columns_.length; column += tile_columns_) {
        const std::int64_t rows = shorter(tile_rows_, rows_.length - row);
        const std::int64_t columns = shorter(tile_columns_, columns_.length - column);
        work(TileSides{row * rows_.to + column * columns_.to,
                       row * rows_.from + column * columns_.from,
                       {rows, columns, rows_.to, columns_.to},
                       {rows, columns, rows_.from, columns_.from}});
      }
    }
  }

 private:
  struct Axis {
    std::int64_t length = 1;
    std::int64_t to = 0;
    std::int64_t from = 0;
  };

  static std::int64_t shorter(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
  static Axis take(const StridedCopy& copy, std::vector<std::size_t>& axes, std::size_t place);

  Axis rows_;
  Axis columns_;
  std::int64_t tile_rows_ = 1;
  std::int64_t tile_columns_ = 1;
};

}  // namespace array_interface
