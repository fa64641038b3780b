#include "reducer.hpp"

#include <algorithm>
#include <cstring>

namespace array_interface {

namespace {

/// So few bytes take no longer than a few waits for memory.
constexpr std::size_t kSoonRead = std::size_t{32} << 10;

}  // namespace

Reducer::Reducer(const ReductionCall& call)
    : call_(call),
      reduction_(*call.reduction),
      tree_(call.tree),
      units_(call),
      chunk_(ChunkOf(call)),
      elements_(call, memory_),
      combiner_(call, memory_),
      results_(call, memory_),
      sum_(memory_.New(std::max(chunk_, units_.row()), reduction_.types)),
      exact_(call, elements_, combiner_, sum_),
      places_(call, elements_, sum_) {}

void Reducer::Run(std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t index = first; index < end; ++index) {
    const auto [output, width, piece] = units_[index];
    if (reduction_.is_split) {
      ReducePiece(output, width, piece);
    } else if (AreFewOf(call_)) {
      ReduceFew(output, width);
    } else if (call_.row_elements > 0) {
      exact_.FoldBeside(output, width);
      Finish(output, width);
    } else if (AreFewRows(width)) {
      ReduceFewRows(output, width);
      Finish(output, width);
    } else {
      Reduce(output, width, 0, tree_.leaves);
      End(output, width);
    }
  }
  results_.Flush();
}

std::size_t Reducer::RowBytes() const {
  std::size_t bytes = 0;
  for (const ValueType type : reduction_.types) bytes += SizeOf(type);
  return bytes * units_.row();
}

bool Reducer::Begin(std::uint64_t unit, std::uint64_t first, std::uint64_t end, std::byte* to) {
  const auto [output, width, piece] = units_[unit];
  const bool is_known = Reduce(output, width, first, end);
  for (std::size_t index = 0; index < sum_.size(); ++index) {
    const std::size_t bytes = units_.row() * SizeAt(index);
    std::memcpy(to, sum_[index], bytes);
    to += bytes;
  }
  return is_known;
}

void Reducer::Join(std::uint64_t unit, const std::byte* pieces, std::uint64_t count) {
  const auto [output, width, own] = units_[unit];
  for (std::uint64_t piece = 0; piece < count; ++piece) {
    for (std::size_t index = 0; index < sum_.size(); ++index) {
      const std::size_t bytes = units_.row() * SizeAt(index);
      std::memcpy(sum_[index], pieces, bytes);
      pieces += bytes;
    }
    CountUp(piece, piece + 1 == count, static_cast<std::size_t>(units_.lanes()) * width);
  }
  End(output, width);
  results_.Flush();
}

void Reducer::FindTotals(std::uint64_t first, std::uint64_t end, const Values& totals) {
  for (std::uint64_t index = first; index < end; ++index) {
    const auto [output, width, leaf] = units_[index];
    Reduce(output, width, leaf, leaf + 1);
    for (std::size_t column = 0; column < width; ++column) {
      const std::uint64_t item = (output + column) * tree_.pieces + leaf;
      CopyValues(reduction_.types, totals, static_cast<std::size_t>(item), sum_, column, 1);
    }
  }
}

/// Combines leaves of some outputs, all lanes of each, to one row of lanes.
bool Reducer::Reduce(std::uint64_t output, std::size_t width, std::uint64_t first,
                     std::uint64_t end) {
  const auto [rows, rest] = RowsOf(first, end - first);
  const std::uint64_t start = first * tree_.leaf_rows * tree_.lanes;
  const std::uint64_t behind = start + rows * tree_.lanes + rest;
  if (!call_.is_across) elements_.Expect(output * call_.elements + behind);
  if (!IsPlace(reduction_) && !reduction_.is_exact) return ReduceTree(output, width, first, end);
  if (reduction_.is_exact && !call_.is_across) return exact_.FoldAlong(output, start, behind);
  if (reduction_.is_exact) {
    exact_.FoldAcross(output, width, start, behind);
  } else if (call_.is_across) {
    places_.FindAcross(output, width, start, behind);
  } else {
    places_.FindAlong(output, start, behind);
  }
  return false;
}

/// The same in the order of the tree: in blocks of leaves whose number is a power of two.
bool Reducer::ReduceTree(std::uint64_t output, std::size_t width, std::uint64_t first,
                         std::uint64_t end) {
  const std::size_t row = lanes() * width;
  // What is read where it is needs only its results to fit.
  const std::uint64_t leaf_size = call_.output_step ? row : tree_.leaf_rows * row;
  std::uint64_t at_once = 1;
  while (call_.row_outputs == 0 && AreTogether(width) && at_once * leaf_size * 2 <= chunk_) {
    at_once *= 2;
  }
  std::uint64_t earlier = 0;
  for (std::uint64_t leaf = first; leaf < end; leaf += at_once, ++earlier) {
    const std::uint64_t leaves = std::min(at_once, end - leaf);
    if (at_once > 1) {
      ReduceLeaves(output, width, leaf, leaves);
    } else {
      ReduceLeaf(output, width, leaf);
    }
    if (width == 1 && combiner_.IsDecided(sum_, row)) return true;
    CountUp(earlier, leaf + leaves == end, row);
  }
  return false;
}

/// Combines leaves that are mapped at once.
void Reducer::ReduceLeaves(std::uint64_t output, std::size_t width, std::uint64_t leaf,
                           std::uint64_t leaves) {
  const auto [rows, rest] = RowsOf(leaf, leaves);
  const auto leaf_rows = static_cast<std::size_t>(tree_.leaf_rows);
  const std::size_t row = lanes() * width;
  const std::size_t whole = rows / leaf_rows;
  const std::size_t step = leaf_rows * row;
  const std::uint64_t element = leaf * tree_.leaf_rows * tree_.lanes;
  const std::uint64_t scale = call_.is_across ? width : 1;
  const Sources& from = elements_.Along(output, element * scale, rows * row + rest * width);
  FoldShape all = RowsInTurn(leaf_rows, row, false);
  if (!AreInPlace(call_)) all.ahead = kInCache;
  all.groups = whole;
  all.from_step = step;
  all.to_step = row;
  combiner_.FoldElements(sum_, 0, from, 0, all);
  if (rows % leaf_rows > 0) {
    combiner_.FoldElements(sum_, whole * row, from, whole * step,
                           RowsInTurn(rows % leaf_rows, row, false));
  }
  if (rest > 0) {
    const std::size_t last = static_cast<std::size_t>(leaves - 1) * row;
    combiner_.FoldElements(sum_, last, from, rows * row, OneRow(rest * width, true));
  }
  Climb(static_cast<std::size_t>(leaves), row);
}

/// Combines a leaf that is mapped part by part.
void Reducer::ReduceLeaf(std::uint64_t output, std::size_t width, std::uint64_t leaf) {
  const auto [rows, rest] = RowsOf(leaf, 1);
  const std::size_t row = lanes() * width;
  const std::uint64_t element = leaf * tree_.leaf_rows * tree_.lanes;
  if (call_.row_outputs > 0) {
    ReduceRows(output, width, element, rows, rest);
    return;
  }
  if (!AreTogether(width)) {
    for (std::size_t lane = 0; lane < lanes(); ++lane) {
      for (std::size_t at = 0; at < rows + (lane < rest ? 1 : 0); ++at) {
        const Sources& from = elements_.Across(output, width, element + at * lanes() + lane);
        combiner_.FoldElements(sum_, lane * width, from, 0, OneRow(width, at > 0));
      }
    }
    return;
  }
  const std::uint64_t scale = call_.is_across ? width : 1;
  const std::size_t end = rows * row + rest * width;
  for (std::size_t done = 0; done < end;) {
    const std::size_t at = done % row;
    const std::size_t count = at == 0 && end - done >= row && row <= chunk_
                                  ? std::min(chunk_, end - done) / row * row
                                  : std::min({chunk_, end - done, row - at});
    const Sources& from = elements_.Along(output, element * scale + done, count);
    const bool adds = done >= row;
    if (count >= row) {
      combiner_.FoldElements(sum_, 0, from, 0, RowsInTurn(count / row, row, adds));
    } else {
      combiner_.FoldElements(sum_, at, from, 0, OneRow(count, adds));
    }
    done += count;
  }
}

/// Combines a leaf whose elements are neighbours of those of the next output.
void Reducer::ReduceRows(std::uint64_t output, std::size_t width, std::uint64_t element,
                         std::size_t rows, std::size_t rest) {
  const std::int64_t step = elements_.RowStep();
  if (step == static_cast<std::int64_t>(width)) {
    const std::size_t row = width * lanes();
    const Sources& from = elements_.Across(output, width, element);
    combiner_.FoldElements(sum_, 0, from, 0, RowsInTurn(rows, row, false));
    if (rest == 0) return;
    combiner_.FoldElements(sum_, 0, from, rows * row, OneRow(rest * width, true));
    return;
  }
  // Few bytes are soon done, and the next outputs follow. Else the rows of the next lane are next,
  // which are between those of one.
  const std::size_t size = SizeOf(reduction_.element_types[0]);
  const bool are_few = call_.elements * width * size <= kSoonRead;
  const std::int64_t apart = are_few ? static_cast<std::int64_t>(width) : step;
  const std::int64_t ahead = apart * static_cast<std::int64_t>(size);
  const std::int64_t lane_step = step * static_cast<std::int64_t>(lanes());
  for (std::size_t lane = 0; lane < lanes(); ++lane) {
    const std::size_t own = rows + (lane < rest ? 1 : 0);
    const Sources& from = elements_.Across(output, width, element + lane);
    const FoldShape shape{1, own, width, lane_step, 0, 0, false, ahead};
    combiner_.FoldElements(sum_, lane * width, from, 0, shape);
  }
}

/// Whether each lane of some outputs has one row or two, which are apart.
bool Reducer::AreFewRows(std::size_t width) const {
  return call_.row_outputs > 0 && width >= 8 && tree_.rows == 1 && tree_.lanes > 1 &&
         tree_.lanes < kMostLanes && elements_.RowStep() != static_cast<std::int64_t>(width) &&
         combiner_.HasFew();
}

/// Combines all lanes of such outputs at once.
void Reducer::ReduceFewRows(std::uint64_t output, std::size_t width) {
  const Sources& from = elements_.Across(output, width, 0);
  const auto rows = static_cast<std::size_t>(call_.elements);
  const auto ahead = static_cast<std::ptrdiff_t>(width * SizeOf(reduction_.element_types[0]));
  combiner_.FoldFew(sum_, from, {1, rows, width, elements_.RowStep(), 0, 0, false, ahead});
}

/// Computes outputs whose elements follow one another.
void Reducer::ReduceFew(std::uint64_t first, std::size_t outputs) {
  if (IsPlace(reduction_)) {
    places_.FindFew(first, outputs);
    Finish(first, outputs);
    return;
  }
  const auto elements = static_cast<std::size_t>(call_.elements);
  const auto [rows, rest] = RowsOf(0, tree_.leaves);
  const auto leaf_rows = static_cast<std::size_t>(tree_.leaf_rows);
  const std::size_t row = outputs * lanes();
  const Sources& from = elements_.Along(first, 0, outputs * elements);
  FoldShape shape = RowsInTurn(leaf_rows, lanes(), false);
  if (!AreInPlace(call_)) shape.ahead = kInCache;
  shape.groups = outputs;
  shape.from_step = call_.output_step.value_or(elements);
  shape.to_step = lanes();
  std::size_t leaves = 0;
  for (std::size_t start = 0; start < rows; start += leaf_rows, ++leaves) {
    shape.rows = std::min(leaf_rows, rows - start);
    combiner_.FoldElements(sum_, leaves * row, from, start * lanes(), shape);
  }
  if (rest > 0) {
    shape = combiner_.RestOf(shape, elements, lanes());
    combiner_.FoldElements(sum_, (leaves - 1) * row, from, elements - shape.width, shape);
  }
  Climb(leaves, row);
  combiner_.Halve(sum_, outputs, 1, lanes(), 1);
  Finish(first, outputs);
}

/// Computes the lanes of a piece of some outputs.
void Reducer::ReducePiece(std::uint64_t output, std::size_t width, std::uint64_t piece) {
  const std::uint64_t first = piece * tree_.size;
  Reduce(output, width, first, std::min(first + tree_.size, tree_.leaves));
  if (!call_.is_across) {
    results_.Push(sum_, lanes(), (output * tree_.pieces + piece) * tree_.lanes);
    return;
  }
  for (std::size_t lane = 0; lane < lanes(); ++lane) {
    const std::uint64_t item = (piece * tree_.lanes + lane) * call_.outputs + output;
    results_.Store(sum_, lane * width, item, width);
  }
}

/// Adds the next subtree, `sum_`, to a binary counter, whose level n has one of 2^n if bit n of the
/// number of earlier ones is set. The last one takes all levels with it.
void Reducer::CountUp(std::uint64_t earlier, bool is_last, std::size_t width) {
  std::size_t level = 0;
  for (; earlier > 0 && (is_last || earlier % 2 == 1); earlier /= 2, ++level) {
    if (earlier % 2 == 1) combiner_.Combine(levels_[level], 0, sum_, 0, sum_, 0, width);
  }
  if (is_last) return;
  if (levels_.size() <= level) levels_.push_back(memory_.New(units_.row(), reduction_.types));
  CopyValues(reduction_.types, levels_[level], 0, sum_, 0, width);
}

/// Combines some rows as wide as `width`, which are leaves, to one: 2k with 2k + 1, and so on.
void Reducer::Climb(std::size_t rows, std::size_t width) {
  for (; rows > 1; rows = (rows + 1) / 2) {
    const std::size_t pairs = rows / 2;
    const auto step = static_cast<std::ptrdiff_t>(width);
    combiner_.Fold(sum_, 0, sum_, 0, {pairs, 2, width, step, 2 * width, width, false});
    if (rows % 2 == 1) {
      CopyValues(reduction_.types, sum_, pairs * width, sum_, (rows - 1) * width, width);
    }
  }
}

/// Stores what the lanes of some outputs make together.
void Reducer::End(std::uint64_t output, std::size_t width) {
  combiner_.Halve(sum_, 1, width, static_cast<std::size_t>(units_.lanes()), 1);
  Finish(output, width);
}

/// Stores the values of some outputs.
void Reducer::Finish(std::uint64_t output, std::size_t width) {
  places_.AmongAll(width);
  CombineRepeats(width);
  results_.Push(sum_, width, output);
}

/// Combines as many equal values of each output as its elements have repeats, by doubling.
void Reducer::CombineRepeats(std::size_t width) {
  if (call_.repeats == 1 || reduction_.is_idempotent) return;
  if (levels_.empty()) levels_.push_back(memory_.New(units_.row(), reduction_.types));
  const Values& once = levels_[0];
  CopyValues(reduction_.types, once, 0, sum_, 0, width);
  std::uint64_t bit = 1;
  while (bit <= call_.repeats / 2) bit *= 2;
  while ((bit /= 2) > 0) {
    combiner_.Combine(sum_, 0, sum_, 0, sum_, 0, width);
    if ((call_.repeats & bit) != 0) combiner_.Combine(sum_, 0, once, 0, sum_, 0, width);
  }
}

/// Whether the elements of all outputs follow those before.
bool Reducer::AreTogether(std::size_t width) const {
  return !call_.is_across || width == call_.outputs;
}

/// The number of rows of some leaves, and of elements that join the last one.
std::pair<std::size_t, std::size_t> Reducer::RowsOf(std::uint64_t leaf,
                                                    std::uint64_t leaves) const {
  const std::uint64_t start = leaf * tree_.leaf_rows;
  const bool is_last = leaf + leaves == tree_.leaves;
  const std::uint64_t rows = is_last ? tree_.rows - start : leaves * tree_.leaf_rows;
  return {static_cast<std::size_t>(rows), static_cast<std::size_t>(is_last ? tree_.rest : 0)};
}

}  // namespace array_interface
