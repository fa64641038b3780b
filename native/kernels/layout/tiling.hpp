#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/layout/strided_copy.hpp"
#include "kernels/layout/tile.hpp"

namespace array_interface {

/// The limit for axes of any length.
inline constexpr std::int64_t no_limit = INT64_MAX;

/// Size limits of tiles.
struct TileSize {
  std::int64_t bytes;               ///< of a tile, on its larger side
  std::int64_t lines;               ///< approximate cache lines per run of the destination
  std::int64_t filled;              ///< bytes that a tile is filled up to if its runs need fewer
  std::int64_t longest = no_limit;  ///< units along one axis
};

/// How a copy is cut into tiles. Each tile contains runs of the destination and of the source that
/// are long enough that no cache line or page is fetched twice, in as few units as possible. If an
/// axis is short, a run spans several axes. One long run on both sides is a tile.
class Tiling {
 public:
  struct CutAxis {
    Axis axis;
    std::int64_t side = 1;  ///< its length in a tile
    std::size_t place = 0;  ///< index in the tile, if its side is more than 1
  };

  /// For a copy of at least one element.
  Tiling(const StridedCopy& copy, const TileSize& size);

  /// Calls `shape(tile, number)` before the first tile, and before each whose shape differs from
  /// the last. `number` identifies the shape and is below 2^tile_rank. Calls `move(to, from,
  /// following)` for each tile. `to` and `from` are its byte offsets. `following` is the source
  /// offset of the next tile that is elsewhere in the source, or its own if there is none.
  template <typename Shape, typename Move>
  void for_each_tile(Shape&& shape, Move&& move) const;

  std::uint64_t tiles() const noexcept;

  /// Returns the units of the largest tile.
  std::size_t units() const noexcept { return static_cast<std::size_t>(units_); }

  /// Whether each tile is one long run that is not changed.
  bool is_runs() const noexcept { return is_runs_; }

  /// Whether each tile is a row, or a part of one, on both sides.
  bool is_rows() const noexcept { return is_rows_; }

  /// Whether many tiles have the same units as the one before.
  bool is_repeated() const noexcept {
    return !order_.empty() && axes_[order_.back()].axis.from == 0;
  }

  /// The axes in the destination's order, outermost first; none has length 1.
  const std::vector<CutAxis>& axes() const noexcept { return axes_; }
  /// The axes that are cut, as indices of axes(). Consecutive tiles advance along the last.
  const std::vector<std::size_t>& order() const noexcept { return order_; }
  /// Byte offsets of the first tile.
  std::int64_t to() const noexcept { return to_; }
  std::int64_t from() const noexcept { return from_; }

  Tile largest_tile() const;

 private:
  void Sort(const StridedCopy& copy);
  bool HasLongRuns(std::int64_t unit) const;
  bool HasLongRows(std::int64_t unit, std::int64_t source_unit) const;
  void Cut(std::int64_t unit, std::int64_t source_unit, const TileSize& size);
  bool Lengthen(CutAxis& cut, std::int64_t wanted, std::int64_t room);
  void Order();
  std::int64_t ToNextSource(const std::vector<std::int64_t>& starts) const;

  std::vector<CutAxis> axes_;
  std::vector<std::size_t> order_;
  const std::int64_t longest_;
  std::int64_t units_ = 1;
  std::size_t rank_ = 0;  ///< axes of a tile
  bool is_runs_ = false;
  bool is_rows_ = false;
  std::int64_t to_ = 0;
  std::int64_t from_ = 0;
};

template <typename Shape, typename Move>
void Tiling::for_each_tile(Shape&& shape, Move&& move) const {
  Tile tile = largest_tile();
  std::vector<std::int64_t> starts(order_.size(), 0);
  std::int64_t to = to_;
  std::int64_t from = from_;
  std::size_t number = 0;  // one bit per axis of the tile that is shorter than its side
  shape(tile, number);
  for (bool is_last = false; !is_last;) {
    const std::int64_t this_to = to;
    const std::int64_t this_from = from;
    const std::int64_t following = from + ToNextSource(starts);
    const std::size_t before = number;
    std::size_t turn = order_.size();  // one past the axis being advanced; 0 when all are done
    for (; turn > 0; --turn) {
      const CutAxis& cut = axes_[order_[turn - 1]];
      std::int64_t& start = starts[turn - 1];
      const bool is_end = start + cut.side >= cut.axis.length;
      const std::int64_t step = is_end ? -start : cut.side;
      start += step;
      to += step * cut.axis.to;
      from += step * cut.axis.from;
      if (cut.side > 1) {
        const std::int64_t rest = cut.axis.length - start;
        const std::size_t bit = std::size_t{1} << cut.place;
        tile.axes[cut.place].length = rest < cut.side ? rest : cut.side;
        number = rest < cut.side ? number | bit : number & ~bit;
      }
      if (!is_end) break;
    }
    is_last = turn == 0;
    move(this_to, this_from, following);
    if (!is_last && number != before) shape(tile, number);
  }
}

}  // namespace array_interface
