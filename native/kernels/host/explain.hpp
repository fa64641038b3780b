#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/host/move/loop.hpp"
#include "kernels/host/way.hpp"
#include "kernels/layout/strided_copy.hpp"
#include "kernels/layout/tiling.hpp"

namespace array_interface {

/// How the host moves the tiles of a copy.
struct TilesExplained {
  std::vector<Tiling::CutAxis> axes;  ///< merged, outermost first
  std::vector<std::size_t> order;     ///< of the axes that are cut; the last moves first
  std::uint64_t count;
  bool is_runs;  ///< each tile is one long run that stays as it is

  // Of the largest tile:
  Loop loop;            ///< what reads it
  bool is_packed;       ///< whether units go into memory of their own first
  bool is_in_place;     ///< whether units go straight to the destination
  bool is_contiguous;   ///< whether the units of a written row lie in a row
  bool is_past_caches;  ///< whether rows are written past the caches
  bool is_converted;    ///< as Steps has it
  std::size_t source_swap;
  std::size_t swap;
  std::size_t repeats;  ///< as Steps has it; strides are those without these
  std::size_t units;
  std::int64_t length;  ///< units that are read in a row
  std::int64_t stride;  ///< bytes between these units
  std::size_t columns;  ///< columns side by side; 0 where nothing is turned
  std::size_t starts;   ///< how often that is done
  std::size_t rows;     ///< rows that are written, unless in place
  std::int64_t row;     ///< units of such a row
};

/// How the host does a copy of at least one element. Each of `pieces` may have a thread of its own;
/// the first is described.
struct Explanation {
  Way way;
  std::size_t pieces;
  std::uint64_t bytes;  ///< that a piece writes
  std::optional<TilesExplained> tiles;
};

/// What strided_copy() would do, by the functions that choose it. It reads and writes no element.
/// Throws std::invalid_argument as strided_copy() does, and for a copy of no elements.
Explanation explain(const StridedCopy& copy, std::uint32_t threads);

}  // namespace array_interface
