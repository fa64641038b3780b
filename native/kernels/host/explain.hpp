#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/host/loop.hpp"
#include "kernels/host/way.hpp"
#include "kernels/strided_copy.hpp"
#include "kernels/tiling.hpp"

namespace array_interface {

/// How the host moves the tiles of a copy.
struct TilesExplained {
  std::vector<Tiling::CutAxis> axes;  ///< outermost first, those that are one merged
  std::vector<std::size_t> order;     ///< of the axes that are cut; the last moves first
  std::uint64_t count;
  bool is_runs;  ///< each is one long run that stays as it is

  // Of the largest tile:
  Loop loop;            ///< what reads it
  bool is_packed;       ///< into memory of its own first
  bool is_in_place;     ///< straight to where the units belong
  bool is_contiguous;   ///< else the units of a row that is written lie one after another
  bool is_past_caches;  ///< and go there
  bool is_converted;    ///< as Steps has it, and
  std::size_t source_swap;
  std::size_t swap;
  std::size_t units;
  std::int64_t length;  ///< units that are read one after another,
  std::int64_t stride;  ///< so many bytes apart,
  std::size_t columns;  ///< in so many columns side by side, 0 where nothing is turned,
  std::size_t starts;   ///< so many times
  std::size_t rows;     ///< that are written, unless in place,
  std::int64_t row;     ///< of so many units each
};

/// How the host does a copy of some elements: of `pieces`, of which each may have a thread of its
/// own, the first.
struct Explanation {
  Way way;
  std::size_t pieces;
  std::uint64_t bytes;  ///< that a piece writes
  std::optional<TilesExplained> tiles;
};

/// What strided_copy() would do, by the very choices that it makes; no byte is read or written.
/// Throws std::invalid_argument as strided_copy() does, and for a copy of no elements.
Explanation explain(const StridedCopy& copy, std::uint32_t threads);

}  // namespace array_interface
