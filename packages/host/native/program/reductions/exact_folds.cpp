#include "exact_folds.hpp"

#include <algorithm>

#include "units.hpp"

namespace array_interface {

namespace {

/// Wide rows that are combined at once: as many streams as a core follows.
constexpr std::uint64_t kRows = 8;
/// Elements that are combined before it is looked whether they decide the result.
constexpr std::size_t kDecides = 1 << 16;
/// Columns of rows that are combined, at most. Longer rows are combined one by one.
constexpr std::uint64_t kMostColumns = 256;
/// Bytes that a first cache has until all columns of some rows are combined.
constexpr std::uint64_t kBytesOfRows = 1 << 14;
/// How many rows ahead elements are asked for.
constexpr std::int64_t kRowsAhead = 16;

}  // namespace

bool ExactFolds::FoldAlong(std::uint64_t output, std::uint64_t first, std::uint64_t end) {
  const auto fewest = static_cast<std::size_t>(call_.tree.lanes);
  const std::size_t lanes = std::max(fewest, LanesOf(*call_.reduction, 1, end - first));
  const bool is_in_place = AreInPlace(call_);
  const std::uint64_t block = is_in_place ? kDecides : ChunkOf(call_);
  bool is_decided = false;
  std::size_t count = 0;
  for (std::uint64_t at = first; at < end && !is_decided; at += count) {
    count = static_cast<std::size_t>(std::min(block, end - at));
    const Sources& from = elements_.AlongUpTo(output, at, at == first ? lanes : 1, count);
    const std::size_t whole = count / lanes;
    const std::size_t more = count % lanes;
    FoldShape rows = RowsInTurn(whole, lanes, at > first);
    if (!is_in_place) rows.ahead = kInCache;
    if (whole > 0) combiner_.FoldElements(sum_, 0, from, 0, rows);
    if (more > 0) combiner_.FoldElements(sum_, 0, from, whole * lanes, OneRow(more, true));
    is_decided = combiner_.IsDecided(sum_, lanes);
  }
  combiner_.Halve(sum_, 1, 1, lanes, fewest);
  return is_decided;
}

void ExactFolds::FoldAcross(std::uint64_t output, std::size_t width, std::uint64_t first,
                            std::uint64_t end) {
  if (call_.row_outputs > 0) {
    FoldRows(output, width, first, end);
    return;
  }
  std::size_t rows = 0;
  for (std::uint64_t at = first; at < end; at += rows) {
    rows = static_cast<std::size_t>(end - at);
    const Sources& from = elements_.AcrossUpTo(output, width, at, rows);
    FoldShape shape = RowsInTurn(rows, width, at > first);
    shape.ahead = kInCache;
    combiner_.FoldElements(sum_, 0, from, 0, shape);
  }
}

/// The same of rows of neighbours in the array, of which some make one if they follow one another.
void ExactFolds::FoldRows(std::uint64_t output, std::size_t width, std::uint64_t first,
                          std::uint64_t end) {
  const std::int64_t step = elements_.RowStep();
  const bool is_dense = step == static_cast<std::int64_t>(width);
  const std::uint64_t evenly = std::min(end - first, elements_.EvenlyFrom(first));
  const std::size_t lanes = is_dense ? LanesOf(*call_.reduction, width, evenly) : 1;
  const std::size_t row = lanes * width;
  const std::size_t at_once = lanes * std::max<std::size_t>(kRows, kChunk / row);
  const auto lane_step = step * static_cast<std::int64_t>(lanes);
  std::size_t own = 0;
  for (std::uint64_t at = first; at < end; at += own) {
    if (at > first && combiner_.AreDecided(sum_, row)) break;
    own = static_cast<std::size_t>(std::min<std::uint64_t>(at_once, end - at));
    const Sources& from = elements_.AcrossUpTo(output, width, at, own);
    const FoldShape whole{1, own / lanes, row, lane_step, 0, 0, at > first};
    if (whole.rows > 0) combiner_.FoldElements(sum_, 0, from, 0, whole);
    if (own % lanes == 0) continue;
    combiner_.FoldElements(sum_, 0, from, own / lanes * row, OneRow(own % lanes * width, true));
  }
  combiner_.Halve(sum_, 1, width, lanes, 1);
}

/// Combines the rows of all outputs that lie beside one another, and then the next ones.
void ExactFolds::FoldBeside(std::uint64_t output, std::size_t width) {
  const std::uint64_t elements = call_.row_elements;
  if (width == 1 && elements <= kMostColumns) {
    FoldColumns(output);
    return;
  }
  const std::size_t lanes = LanesOf(*call_.reduction, 1, elements);
  const std::size_t whole = elements / lanes * lanes;
  FoldShape rows = RowsInTurn(whole / lanes, lanes, false);
  rows.groups = width;
  rows.from_step = static_cast<std::size_t>(elements_.OutputStep());
  rows.to_step = lanes;
  const FoldShape rest = combiner_.RestOf(rows, elements, lanes);
  for (std::uint64_t at = 0; at < call_.elements; at += elements) {
    const Sources& from = elements_.InRow(output, at);
    rows.adds = at > 0;
    combiner_.FoldElements(sum_, 0, from, 0, rows);
    if (elements > whole) combiner_.FoldElements(sum_, 0, from, elements - rest.width, rest);
  }
  combiner_.Halve(sum_, width, 1, lanes, 1);
}

/// Combines the columns of one output's rows, and then those.
void ExactFolds::FoldColumns(std::uint64_t output) {
  const auto columns = static_cast<std::size_t>(call_.row_elements);
  const auto size = static_cast<std::int64_t>(SizeOf(call_.reduction->element_types[0]));
  const auto [rows, step] = elements_.EvenRows();
  const std::uint64_t most = std::max<std::uint64_t>(16, kBytesOfRows / (columns * size));
  const std::uint64_t all = call_.elements / columns;
  for (std::uint64_t row = 0; row < all;) {
    const std::uint64_t own = std::min(most, rows - row % rows);
    const Sources& from = elements_.InRow(output, row * columns);
    combiner_.FoldElements(
        sum_, 0, from, 0,
        {1, static_cast<std::size_t>(own), columns, step, 0, 0, row > 0, kRowsAhead * step * size});
    row += own;
  }
  std::size_t lanes = 1;
  while (lanes * 2 <= columns) lanes *= 2;
  if (columns > lanes) combiner_.Fold(sum_, 0, sum_, lanes, OneRow(columns - lanes, true));
  combiner_.Halve(sum_, 1, 1, lanes, 1);
}

}  // namespace array_interface
