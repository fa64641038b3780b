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
  bool is_runs;  ///< each tile is one long run that is not changed

  // For the largest tile:
  Loop loop;            ///< what reads it
  bool is_packed;       ///< whether units are packed into a buffer first
  bool is_in_place;     ///< whether units are written directly to the destination
  bool is_contiguous;   ///< whether the units of a written row are contiguous
  bool is_past_caches;  ///< whether rows are written with non-temporal stores
  bool is_converted;    ///< as Steps has it
  std::size_t source_swap;
  std::size_t swap;
  std::size_t repeats;  ///< as Steps has it; the strides are those without repeats
  std::size_t units;
  std::int64_t length;  ///< units that are read as one row
  std::int64_t stride;  ///< bytes between these units
  std::size_t columns;  ///< adjacent columns; 0 if nothing is transposed
  std::size_t starts;   ///< how many times
  std::size_t rows;     ///< rows that are written, unless in place
  std::int64_t row;     ///< units of such a row
};

/// How the host performs a copy of at least one element. Each of `pieces` may have its own thread;
/// the first is described.
struct Explanation {
  Way way;
  std::size_t pieces;
  std::uint64_t bytes;  ///< written by each piece
  std::optional<TilesExplained> tiles;
};

/// Describes what strided_copy() would do, using the functions that make its choices. Reads and
/// writes no element. Throws std::invalid_argument as strided_copy() does, and for a copy of no
/// elements.
Explanation explain(const StridedCopy& copy, std::uint32_t threads);

}  // namespace array_interface
