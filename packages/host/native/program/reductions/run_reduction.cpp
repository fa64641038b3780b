#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory_resource>
#include <type_traits>
#include <utility>

#include "kernels/host/on_threads.hpp"
#include "plain_scan.hpp"
#include "poison.hpp"
#include "program/scratch.hpp"
#include "program/worker.hpp"
#include "reduction.hpp"
#include "staging.hpp"

namespace array_interface {

namespace {

/// Elements that are mapped, and results that are stored, at once.
constexpr std::size_t kChunk = 4096;
constexpr std::size_t kChunkOfPairs = 4 * kChunk;
/// Outputs that are computed at once: all levels of their trees fit a second cache.
constexpr std::size_t kWidth = 512;
/// The same if a tree has one leaf: no levels, and lanes that almost fit a first cache.
constexpr std::size_t kLeafWidth = 256;
/// The same, if an output has one value.
constexpr std::size_t kManyWidth = 1024;
/// Wide rows that are combined at once: as many streams as a core follows.
constexpr std::uint64_t kRows = 8;
/// Elements that are combined before it is looked whether they decide the result.
constexpr std::size_t kDecides = 1 << 16;
constexpr std::size_t kMostLanes = 32;
/// A row of lanes that keeps the vectors of a core busy.
constexpr std::size_t kRowBytes = 256;
constexpr std::size_t kAlignment = 64;
constexpr std::uint64_t kFewestOfThread = 1 << 15;
/// The values of an accumulator take about so many chunks, of which little is touched for a short
/// array.
constexpr std::size_t kChunks = 8;
/// Leaves of a piece of a tree that a thread combines.
constexpr std::uint64_t kFewestLeaves = 64;

/// Elements that are mapped at once: more if each is a value, or if a program combines one row of
/// all their leaves.
std::size_t ChunkOf(const ReductionCall& call) {
  const Reduction& reduction = *call.reduction;
  if (IsPlace(reduction)) return kChunk * 8 / SizeOf(reduction.types[0]);
  return !HasLoops(reduction) && !reduction.is_scan ? kChunkOfPairs : kChunk;
}

/// Whether trees are so small that many of them are computed at once.
bool AreFewOf(const ReductionCall& call) {
  const bool is_whole = !call.reduction->is_split && !call.reduction->is_scan;
  return is_whole && !call.is_across && call.elements <= ChunkOf(call) / 2;
}

/// Whether one value of each output is enough, since elements may be combined in any order.
bool IsWithoutLanes(const ReductionCall& call) {
  return IsPlace(*call.reduction) || (call.reduction->is_exact && call.is_across);
}

/// Strips of outputs that are computed at once.
std::uint64_t StripsOf(const ReductionCall& call, std::uint64_t outputs) {
  const std::uint64_t of_lanes = call.tree.leaves == 1 ? kLeafWidth : kWidth;
  const std::uint64_t width = IsWithoutLanes(call) ? kManyWidth : of_lanes;
  return (outputs + width - 1) / width;
}

/// The number of outputs that are computed at once.
std::uint64_t WidthOf(const ReductionCall& call) {
  const std::uint64_t outputs = call.end - call.first;
  if (call.is_across) {
    const std::uint64_t row = call.row_outputs > 0 ? call.row_outputs : outputs;
    const std::uint64_t strips = StripsOf(call, row);
    return (row + strips - 1) / strips;
  }
  return AreFewOf(call) ? std::min<std::uint64_t>(outputs, ChunkOf(call) / call.elements) : 1;
}

/// The parts that threads share: pieces of one output, or of some.
std::uint64_t UnitsOf(const ReductionCall& call) {
  const std::uint64_t outputs = call.end - call.first;
  if (call.row_outputs > 0) {
    return outputs / call.row_outputs * StripsOf(call, call.row_outputs) * call.tree.pieces;
  }
  const std::uint64_t width = WidthOf(call);
  return (outputs + width - 1) / width * call.tree.pieces;
}

/// The step from a row to the next one that follows it.
std::ptrdiff_t StepOver(std::size_t width) { return static_cast<std::ptrdiff_t>(width); }

/// The values of all accumulators, one row for each.
using Values = std::vector<std::byte*>;
using Sources = std::vector<const std::byte*>;

/// Computes outputs on one thread.
class Reducer {
 public:
  /// Throws std::bad_alloc.
  explicit Reducer(const ReductionCall& call)
      : call_(call),
        reduction_(*call.reduction),
        tree_(call.tree),
        width_(WidthOf(call)),
        chunk_(ChunkOf(call)),
        staging_(call_.element, OrderedFrom()),
        element_(call_.element, 2 * chunk_),
        pair_(PairOf(call_.pair), kChunk),
        step_(PairOf(call_.step), kChunk),
        finish_(call_.finish, kChunk),
        mapped_(reduction_.types.size()),
        buffer_(NewValues(2 * chunk_, reduction_.element_types)),  // with what joins the last leaf
        sum_(NewValues(std::max<std::size_t>(chunk_, Row()))),
        before_(reduction_.is_scan ? NewValues(chunk_) : Values{}),
        done_(NewValues(chunk_)),
        first_(HasLoops(reduction_) ? Values{} : NewValues(kChunk)),
        second_(HasLoops(reduction_) ? Values{} : NewValues(kChunk)) {}

  /// The bytes of what is combined of some outputs.
  std::size_t RowBytes() const {
    std::size_t bytes = 0;
    for (std::size_t index = 0; index < reduction_.types.size(); ++index) bytes += SizeAt(index);
    return bytes * Row();
  }

  /// Combines leaves of a unit, and writes the lanes. Returns whether they decide the result.
  bool Begin(std::uint64_t unit, std::uint64_t first, std::uint64_t end, std::byte* to) {
    const auto [output, width] = OutputsOf(unit);
    const bool is_known = Reduce(output, width, first, end);
    for (std::size_t index = 0; index < sum_.size(); ++index) {
      const std::size_t bytes = Row() * SizeAt(index);
      std::memcpy(to, sum_[index], bytes);
      to += bytes;
    }
    return is_known;
  }

  /// Combines the lanes of so many pieces of a unit.
  void Join(std::uint64_t unit, const std::byte* pieces, std::uint64_t count) {
    const auto [output, width] = OutputsOf(unit);
    for (std::uint64_t piece = 0; piece < count; ++piece) {
      for (std::size_t index = 0; index < sum_.size(); ++index) {
        const std::size_t bytes = Row() * SizeAt(index);
        std::memcpy(sum_[index], pieces, bytes);
        pieces += bytes;
      }
      CountUp(levels_, piece, piece + 1 == count, static_cast<std::size_t>(Lanes()) * width);
    }
    End(output, width);
    Flush();
  }

  /// Writes what the leaves of units make that are cut, one row of all leaves for each output.
  void FindTotals(std::uint64_t first, std::uint64_t end, const Values& totals) {
    for (std::uint64_t unit = first; unit < end; ++unit) {
      const std::uint64_t leaf = unit % tree_.pieces;
      const auto [output, width] = OutputsOf(unit / tree_.pieces);
      Reduce(output, width, leaf, leaf + 1);
      for (std::size_t column = 0; column < width; ++column) {
        const std::uint64_t item = (output + column) * tree_.pieces + leaf;
        Copy(totals, static_cast<std::size_t>(item), sum_, column, 1);
      }
    }
  }

  /// Computes units from `first` to before `end`.
  void Run(std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t unit = first; unit < end; ++unit) {
      const std::uint64_t piece = unit % tree_.pieces;
      const auto [output, width] = OutputsOf(unit / tree_.pieces);
      if (reduction_.is_scan) {
        if (piece > 0) AddTotals(unit == first ? 0 : piece - 1, piece, output, width);
        Scan(output, width, piece);
      } else if (reduction_.is_split) {
        ReducePiece(output, width, piece);
      } else if (AreFew()) {
        ReduceFew(output, width);
      } else {
        Reduce(output, width, 0, tree_.leaves);
        End(output, width);
      }
    }
    Flush();
  }

 private:
  /// The first axis of those along which many elements are taken in C order.
  std::size_t OrderedFrom() const {
    const bool is_ordered = !call_.is_across && !reduction_.is_scan && !AreFew();
    return is_ordered ? reduction_.outer : call_.element.shape.size();
  }

  static const ProgramCall& PairOf(ProgramCall& call) {
    call.end = std::max(kChunk, kWidth * kMostLanes);
    call.shape = {call.end};
    return call;
  }

  /// The lanes of all outputs that are computed at once.
  std::size_t Row() const { return static_cast<std::size_t>(width_ * Lanes()); }

  std::uint64_t Lanes() const { return IsWithoutLanes(call_) ? 1 : tree_.lanes; }

  std::size_t SizeAt(std::size_t index) const { return SizeOf(reduction_.types[index]); }

  Values NewValues(std::size_t count) { return NewValues(count, reduction_.types); }

  Values NewValues(std::size_t count, const std::vector<ValueType>& types) {
    Values made;
    for (const ValueType type : types) {
      const std::size_t bytes = count * SizeOf(type);
      auto* const start = static_cast<std::byte*>(memory_.allocate(bytes + kRedZone, kAlignment));
      Poison(start + bytes, kRedZone);
      made.push_back(start);
    }
    return made;
  }

  template <typename From>
  void Copy(const Values& to, std::size_t at, const From& from, std::size_t start,
            std::size_t count) const {
    for (std::size_t index = 0; index < to.size(); ++index) {
      const std::size_t size = SizeAt(index);
      std::memmove(to[index] + at * size, from[index] + start * size, count * size);
    }
  }

  /// Makes `count` values of two each. `to` may be one of them, at the same place.
  template <typename A, typename B>
  void Combine(const A& a, std::size_t a_at, const B& b, std::size_t b_at, const Values& to,
               std::size_t at, std::size_t count) {
    if (reduction_.method == Method::kMoments) {
      reduction_.moments.merge(MomentsAt(a, a_at), MomentsAt(b, b_at), MomentsAt(to, at), count);
      return;
    }
    const FoldShape row{1, 1, count, StepOver(count), 0, 0, true};
    if (!reduction_.loops.empty() && IsSame(to, at, b, b_at)) {
      Fold(to, at, a, a_at, row);  // each operation that has a loop is commutative
      return;
    }
    if (!reduction_.loops.empty()) {
      if (!IsSame(to, at, a, a_at)) Copy(to, at, a, a_at, count);
      Fold(to, at, b, b_at, row);
      return;
    }
    Place(call_.pair, 0, a, a_at, 0);
    Place(call_.pair, 1, b, b_at, 0);
    pair_.Run(0, count, [&](std::size_t before, std::size_t done) {
      for (std::size_t index = 0; index < to.size(); ++index) {
        const std::size_t size = SizeAt(index);
        std::memcpy(to[index] + (at + before) * size, pair_.Result(index), done * size);
      }
    });
  }

  template <typename From>
  static bool IsSame(const Values& to, std::size_t at, const From& from, std::size_t start) {
    return to[0] == from[0] && at == start;
  }

  /// Combines the rows of each group. The results may be where the rows are.
  template <typename From>
  void Fold(const Values& to, std::size_t at, const From& from, std::size_t start,
            const FoldShape& shape) {
    if (reduction_.method == Method::kMoments) {
      FoldMoments(to, at, from, start, shape);
      return;
    }
    if (reduction_.loops.empty()) {
      FoldByPairs(to, at, from, start, shape);
      return;
    }
    for (std::size_t index = 0; index < to.size(); ++index) {
      const std::size_t size = SizeAt(index);
      if constexpr (std::is_same_v<From, Sources>) {
        const std::size_t from_size = SizeOf(reduction_.element_types[index]);
        const auto fold = reduction_.element_folds[index];
        fold(to[index] + at * size, from[index] + start * from_size, shape);
      } else {
        reduction_.loops[index].fold(to[index] + at * size, from[index] + start * size, shape);
      }
    }
  }

  /// The same of moments: of rows of elements; or of pairs, which are two rows.
  template <typename From>
  void FoldMoments(const Values& to, std::size_t at, const From& from, std::size_t start,
                   const FoldShape& shape) {
    if constexpr (std::is_same_v<From, Sources>) {
      const std::byte* const first = from[0] + start * SizeOf(reduction_.element_types[0]);
      reduction_.moments.fold(MomentsAt(to, at), first, shape);
    } else {
      for (std::size_t group = 0; group < shape.groups; ++group) {
        const std::size_t own = start + group * shape.from_step;
        Combine(from, own, from, own + shape.width, to, at + group * shape.to_step, shape.width);
      }
    }
  }

  template <typename From>
  static Moments MomentsAt(const From& values, std::size_t at) {
    const auto of = [&](std::size_t index) {
      // Nothing writes what is read.
      return const_cast<double*>(reinterpret_cast<const double*>(values[index])) + at;
    };
    return {of(0), of(1), of(2)};
  }

  /// The same by the program of a pair, which takes a row of many groups at once.
  template <typename From>
  void FoldByPairs(const Values& to, std::size_t at, const From& from, std::size_t start,
                   const FoldShape& shape) {
    const std::size_t most = std::max<std::size_t>(1, kChunk / shape.width);
    for (std::size_t group = 0; group < shape.groups; group += most) {
      const std::size_t groups = std::min(most, shape.groups - group);
      for (std::size_t lane = 0; lane < shape.width; lane += kChunk) {
        const std::size_t width = std::min(kChunk, shape.width - lane);
        const std::size_t to_start = at + group * shape.to_step + lane;
        const std::size_t from_start = start + group * shape.from_step + lane;
        if (shape.adds) {
          Gather(first_, to, to_start, shape.to_step, groups, width);
        } else {
          Gather(first_, from, from_start, shape.from_step, groups, width);
        }
        if (from[0] == mapped_[0]) {
          Step(from_start, shape, groups, width);
          Scatter(to, to_start, shape.to_step, groups, width);
          continue;
        }
        for (std::size_t row = shape.adds ? 0 : 1; row < shape.rows; ++row) {
          Gather(second_, from, from_start + row * shape.width, shape.from_step, groups, width);
          Combine(first_, 0, second_, 0, first_, 0, groups * width);
        }
        Scatter(to, to_start, shape.to_step, groups, width);
      }
    }
  }

  /// Combines `first_` with rows of mapped elements. Each of its values is of as many elements.
  void Step(std::size_t start, const FoldShape& shape, std::size_t groups, std::size_t width) {
    const std::size_t count = groups * width;
    for (std::size_t row = shape.adds ? 0 : 1; row < shape.rows; ++row) {
      const std::size_t at = start + row * shape.width;
      for (std::size_t index = 0; index < mapped_.size(); ++index) {
        if (reduction_.is_same[index]) {
          std::memcpy(second_[index], mapped_[index] + at * SizeAt(index), SizeAt(index));
        } else {
          GatherOne(index, second_, mapped_, at, shape.from_step, groups, width);
        }
      }
      Place(call_.step, 0, first_, 0, 0);
      Place(call_.step, 1, second_, 0, 0);
      step_.Refill();
      step_.Run(0, count, [&](std::size_t before, std::size_t done) {
        for (std::size_t index = 0; index < first_.size(); ++index) {
          const std::size_t size = SizeAt(index);
          if (reduction_.stays_same[index]) continue;
          std::memcpy(first_[index] + before * size, step_.Result(index), done * size);
        }
      });
      for (std::size_t index = 0; index < first_.size(); ++index) {
        if (!reduction_.stays_same[index]) continue;
        std::memcpy(first_[index], step_.SameResult(index), SizeAt(index));
      }
    }
    for (std::size_t index = 0; index < first_.size(); ++index) {
      if (reduction_.stays_same[index]) Repeat(first_[index], SizeAt(index), count);
    }
  }

  /// Copies a row of each group, to one behind the other.
  template <typename From>
  void Gather(const Values& to, const From& from, std::size_t start, std::size_t step,
              std::size_t groups, std::size_t width) const {
    for (std::size_t index = 0; index < to.size(); ++index) {
      GatherOne(index, to, from, start, step, groups, width);
    }
  }

  template <typename From>
  void GatherOne(std::size_t index, const Values& to, const From& from, std::size_t start,
                 std::size_t step, std::size_t groups, std::size_t width) const {
    const std::size_t size = SizeAt(index);
    for (std::size_t group = 0; group < groups; ++group) {
      std::memcpy(to[index] + group * width * size, from[index] + (start + group * step) * size,
                  width * size);
    }
  }

  void Scatter(const Values& to, std::size_t at, std::size_t step, std::size_t groups,
               std::size_t width) const {
    for (std::size_t index = 0; index < to.size(); ++index) {
      const std::size_t size = SizeAt(index);
      for (std::size_t group = 0; group < groups; ++group) {
        std::memcpy(to[index] + (at + group * step) * size, first_[index] + group * width * size,
                    width * size);
      }
    }
  }

  /// Says where the accumulators of a program are: of which element the first one is.
  template <typename From>
  void Place(ProgramCall& call, std::size_t set, const From& from, std::size_t at,
             std::uint64_t first) const {
    const std::size_t count = reduction_.types.size();
    for (std::size_t index = 0; index < call.arrays.size(); ++index) {
      const std::size_t place = call.program->arrays[index].place;
      if (place < reduction_.parameters + set * count) continue;
      const std::size_t own = place - reduction_.parameters - set * count;
      if (own >= count) continue;
      // Nothing writes there.
      call.arrays[index].base = const_cast<std::byte*>(from[own] + at * SizeAt(own));
      call.arrays[index].first = first;
    }
  }

  /// Maps elements of the loop in a row.
  void Map(std::uint64_t first, std::size_t count) {
    for (std::size_t before = 0; before < count;) {
      const std::uint64_t start = first + before;
      const std::size_t there = staging_.Fill(start, count - before, needed_);
      element_.Run(start, start + there,
                   [&](std::size_t at, std::size_t done) { Keep(before + at, done, count); });
      before += there;
    }
  }

  /// Keeps what was mapped of `count` elements, unless that is all.
  void Keep(std::size_t before, std::size_t done, std::size_t count) {
    for (std::size_t index = 0; index < call_.element.program->store_count; ++index) {
      mapped_[index] = done == count ? element_.Result(index) : buffer_[index];
      if (done == count) continue;
      const std::size_t size = SizeOf(reduction_.element_types[index]);
      std::memcpy(buffer_[index] + before * size, element_.Result(index), done * size);
    }
  }

  void Finish(const Values& values, std::uint64_t first, std::size_t count) {
    Place(call_.finish, 0, values, 0, first);
    finish_.Run(first, first + count);
  }

  /// Stores values in the order of their indices, many at once.
  void Push(const Values& values, std::size_t count, std::uint64_t first) {
    if (pending_ + count > chunk_ || first != first_pending_ + pending_) Flush();
    if (pending_ == 0) first_pending_ = first;
    Copy(done_, pending_, values, 0, count);
    pending_ += count;
  }

  void Flush() {
    if (pending_ > 0) Finish(done_, first_pending_, pending_);
    pending_ = 0;
  }

  /// Adds the next subtree, `sum_`, to a binary counter, whose level n has one of 2^n if bit n of
  /// the number of earlier ones is set. The last one takes all levels with it.
  void CountUp(std::vector<Values>& levels, std::uint64_t earlier, bool is_last,
               std::size_t width) {
    std::size_t level = 0;
    for (; earlier > 0 && (is_last || earlier % 2 == 1); earlier /= 2, ++level) {
      if (earlier % 2 == 1) Combine(levels[level], 0, sum_, 0, sum_, 0, width);
    }
    if (is_last) return;
    if (levels.size() <= level) levels.push_back(NewValues(Row()));
    Copy(levels[level], 0, sum_, 0, width);
  }

  /// Combines some rows as wide as `width`, which are leaves, to one: 2k with 2k + 1, and so on.
  void Climb(std::size_t rows, std::size_t width) {
    for (; rows > 1; rows = (rows + 1) / 2) {
      const std::size_t pairs = rows / 2;
      Fold(sum_, 0, sum_, 0, {pairs, 2, width, StepOver(width), 2 * width, width, false});
      if (rows % 2 == 1) Copy(sum_, pairs * width, sum_, (rows - 1) * width, width);
    }
  }

  /// Combines the lanes of each group, which are as wide as `width`.
  void Halve(std::size_t groups, std::size_t width) {
    for (std::uint64_t half = Lanes() / 2; half > 0; half /= 2) {
      const std::size_t own = static_cast<std::size_t>(half) * width;
      Fold(sum_, 0, sum_, 0, {groups, 2, own, StepOver(own), 2 * own, own, false});
    }
  }

  /// Stores what the lanes of some outputs make together.
  void End(std::uint64_t output, std::size_t width) {
    Halve(1, width);
    Push(sum_, width, output);
  }

  bool AreFew() const { return AreFewOf(call_); }

  /// The first of the outputs that are computed at once, and their number.
  std::pair<std::uint64_t, std::size_t> OutputsOf(std::uint64_t index) const {
    if (call_.row_outputs > 0) {
      const std::uint64_t strips = StripsOf(call_, call_.row_outputs);
      const std::uint64_t before = index % strips * width_;
      const std::uint64_t own = std::min(width_, call_.row_outputs - before);
      return {index / strips * call_.row_outputs + before, static_cast<std::size_t>(own)};
    }
    const std::uint64_t output = call_.first + index * width_;
    return {output, static_cast<std::size_t>(std::min(width_, call_.end - output))};
  }

  /// Computes outputs whose elements follow one another.
  void ReduceFew(std::uint64_t first, std::size_t outputs) {
    const auto elements = static_cast<std::size_t>(call_.elements);
    const auto [lanes, rows, rest, leaf_rows] = Sizes();
    const std::size_t row = outputs * lanes;
    const Sources& from = ElementsOf(first, 0, outputs * elements);
    const std::size_t step = call_.output_step.value_or(elements);
    if (IsPlace(reduction_)) {
      for (std::size_t at = 0; at < outputs; ++at) FindAlong(at, at * elements, elements, 0);
      Push(sum_, outputs, first);
      return;
    }
    std::size_t leaves = 0;
    for (std::size_t start = 0; start < rows; start += leaf_rows, ++leaves) {
      const std::size_t own = std::min(leaf_rows, rows - start);
      Fold(sum_, leaves * row, from, start * lanes,
           {outputs, own, lanes, StepOver(lanes), step, lanes, false});
    }
    if (rest > 0) {
      Fold(sum_, (leaves - 1) * row, from, rows * lanes,
           {outputs, 1, rest, StepOver(rest), step, lanes, true});
    }
    Climb(leaves, row);
    Halve(outputs, 1);
    Push(sum_, outputs, first);
  }

  /// Returns where `count` elements are, in their array or mapped: of an output, or of some that
  /// follow one another; or of all outputs in turn, from an index in them on.
  const Sources& ElementsOf(std::uint64_t output, std::uint64_t first, std::size_t count) {
    if (!call_.output_step) {
      Map(call_.is_across ? first : output * call_.elements + first, count);
      return mapped_;
    }
    const PlacedArray& array = call_.element.arrays[SourceOf(reduction_)];
    const std::int64_t before = static_cast<std::int64_t>(output) * array.strides[0] +
                                static_cast<std::int64_t>(first) * array.strides[1];
    return InArray(array.base + before);
  }

  /// Elements from one of the array on, until the next call.
  const Sources& InArray(const std::byte* first) {
    in_array_[0] = first;
    return in_array_;
  }

  struct TreeSizes {
    std::size_t lanes, rows, rest, leaf_rows;
  };
  TreeSizes Sizes() const {
    return {static_cast<std::size_t>(tree_.lanes), static_cast<std::size_t>(tree_.rows),
            static_cast<std::size_t>(tree_.rest), static_cast<std::size_t>(tree_.leaf_rows)};
  }

  /// Whether the elements of all outputs follow those before.
  bool AreTogether(std::size_t width) const { return !call_.is_across || width == call_.outputs; }

  /// Combines leaves of some outputs, all lanes of each, to one row of lanes.
  bool Reduce(std::uint64_t output, std::size_t width, std::uint64_t first, std::uint64_t end) {
    const auto [rows, rest] = RowsOf(first, end - first);
    const std::uint64_t start = first * tree_.leaf_rows * tree_.lanes;
    const std::uint64_t behind = start + rows * tree_.lanes + rest;
    needed_ = output * call_.elements + behind;
    if (IsPlace(reduction_)) {
      Find(output, width, start, behind);
      return false;
    }
    if (reduction_.is_exact && call_.is_across) {
      ReduceExactAcross(output, width, first, end);
      return false;
    }
    if (reduction_.is_exact) return ReduceExact(output, first, end);
    const auto row = static_cast<std::size_t>(tree_.lanes) * width;
    // What is read where it is needs only its results to fit.
    const std::uint64_t leaf_size = call_.output_step ? row : tree_.leaf_rows * row;
    std::uint64_t at_once = 1;
    while (call_.row_outputs == 0 && AreTogether(width) && at_once * leaf_size * 2 <= chunk_)
      at_once *= 2;
    std::uint64_t earlier = 0;
    for (std::uint64_t leaf = first; leaf < end; leaf += at_once, ++earlier) {
      const std::uint64_t leaves = std::min(at_once, end - leaf);
      if (at_once > 1) {
        ReduceLeaves(output, width, leaf, leaves);
      } else {
        ReduceLeaf(output, width, leaf);
      }
      if (width == 1 && IsDecided(row)) return true;
      CountUp(levels_, earlier, leaf + leaves == end, row);
    }
    return false;
  }

  /// Combines all elements of some leaves of one output, in any order.
  bool ReduceExact(std::uint64_t output, std::uint64_t first, std::uint64_t end) {
    const auto [rows, rest] = RowsOf(first, end - first);
    const std::uint64_t start = first * tree_.leaf_rows * tree_.lanes;
    const std::size_t all = rows * static_cast<std::size_t>(tree_.lanes) + rest;
    const std::size_t lanes = WideLanes(all);
    const std::size_t block = call_.output_step ? kDecides : chunk_;
    bool is_decided = false;
    for (std::size_t done = 0; done < all && !is_decided; done += block) {
      const std::size_t count = std::min(block, all - done);
      const Sources& from = ElementsOf(output, start + done, count);
      const std::size_t whole = count / lanes;
      const std::size_t more = count % lanes;
      if (whole > 0) Fold(sum_, 0, from, 0, {1, whole, lanes, StepOver(lanes), 0, 0, done > 0});
      if (more > 0) Fold(sum_, 0, from, whole * lanes, {1, 1, more, StepOver(more), 0, 0, true});
      is_decided = IsDecided(lanes);
    }
    for (std::size_t half = lanes / 2; half >= tree_.lanes; half /= 2) {
      Fold(sum_, 0, sum_, 0, {1, 2, half, StepOver(half), 0, 0, false});
    }
    return is_decided;
  }

  /// Lanes that fill the vectors of a loop, and not more than there are elements.
  std::size_t WideLanes(std::size_t elements) const {
    auto lanes = static_cast<std::size_t>(tree_.lanes);
    const std::size_t most = std::min(elements, kRowBytes / SizeOf(reduction_.element_types[0]));
    while (lanes * 2 <= most) lanes *= 2;
    return lanes;
  }

  /// Lanes of outputs whose elements follow one another: as many as fill vectors. Else one.
  std::size_t LanesAcross(std::size_t width, std::int64_t step, std::uint64_t elements) const {
    if (step != static_cast<std::int64_t>(width)) return 1;
    const std::size_t most = kRowBytes / SizeOf(reduction_.element_types[0]) / width;
    std::size_t lanes = 1;
    while (lanes * 2 <= most && lanes * 2 <= elements) lanes *= 2;
    return lanes;
  }

  /// The same of outputs that are nearer than their elements.
  void ReduceExactAcross(std::uint64_t output, std::size_t width, std::uint64_t first,
                         std::uint64_t end) {
    const auto [rows, rest] = RowsOf(first, end - first);
    const std::uint64_t start = first * tree_.leaf_rows * tree_.lanes;
    const std::uint64_t all = rows * tree_.lanes + rest;
    if (call_.row_outputs == 0) {
      for (std::uint64_t at = 0; at < all; ++at) {
        Map((start + at) * call_.outputs + output, width);
        Fold(sum_, 0, mapped_, 0, {1, 1, width, 0, 0, 0, at > 0});
      }
      return;
    }
    const std::int64_t step = RowStep();
    const std::size_t lanes = LanesAcross(width, step, all);
    const std::size_t row = lanes * width;
    const std::size_t at_once = lanes * std::max<std::size_t>(kRows, kChunk / row);
    for (std::uint64_t at = 0; at < all && !(at > 0 && AreDecided(row)); at += at_once) {
      const auto own = static_cast<std::size_t>(std::min<std::uint64_t>(at_once, all - at));
      const Sources& from = InArray(RowAt(output, start + at));
      const auto lane_step = step * static_cast<std::int64_t>(lanes);
      Fold(sum_, 0, from, 0, {1, own / lanes, row, lane_step, 0, 0, at > 0});
      if (own % lanes == 0) continue;
      Fold(sum_, 0, from, own / lanes * row, {1, 1, own % lanes * width, 0, 0, 0, true});
    }
    for (std::size_t half = lanes / 2; half > 0; half /= 2) {
      const std::size_t own = half * width;
      Fold(sum_, 0, sum_, 0, {1, 2, own, StepOver(own), 0, 0, false});
    }
  }

  /// Whether a lane has the value that no element changes. The result of all lanes is then that
  /// value.
  bool IsDecided(std::size_t row) const {
    if (reduction_.absorbs == Absorbs::kNothing) return false;
    const std::byte* const lanes = sum_[0];
    const auto is_true = [](std::byte one) { return one != std::byte{0}; };
    if (reduction_.absorbs == Absorbs::kTrue) return std::any_of(lanes, lanes + row, is_true);
    return !std::all_of(lanes, lanes + row, is_true);
  }

  /// Whether all lanes of some outputs have that value.
  bool AreDecided(std::size_t row) const {
    if (reduction_.absorbs == Absorbs::kNothing) return false;
    const bool is_true = reduction_.absorbs == Absorbs::kTrue;
    const auto is_decided = [&](std::byte one) { return (one != std::byte{0}) == is_true; };
    return std::all_of(sum_[0], sum_[0] + row, is_decided);
  }

  /// Compares mapped elements with the best of an output until now.
  void FindAlong(std::size_t output, std::size_t start, std::size_t count, std::uint64_t first) {
    const std::size_t size = SizeAt(0);
    reduction_.places_of.along(mapped_[0] + start * size, count, sum_[0] + output * size,
                               Places() + output, static_cast<std::int64_t>(first));
  }

  std::int64_t* Places() const { return reinterpret_cast<std::int64_t*>(sum_[1]); }

  /// Finds the best of some elements of some outputs.
  void Find(std::uint64_t output, std::size_t width, std::uint64_t first, std::uint64_t end) {
    if (!call_.is_across) {
      for (std::uint64_t at = first; at < end && !(at > first && IsFound()); at += chunk_) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_, end - at));
        Map(output * call_.elements + at, count);
        FindAlong(0, 0, count, at - first);
      }
      *Places() += static_cast<std::int64_t>(first);
      return;
    }
    for (std::uint64_t at = first; at < end; ++at) {
      const std::byte* const from = RowOf(output, width, at);
      const auto place = static_cast<std::int64_t>(at);
      if (at > first) {
        reduction_.places_of.across(from, width, sum_[0], Places(), place);
      } else {
        std::memcpy(sum_[0], from, width * SizeAt(0));
        std::fill_n(Places(), width, place);
      }
    }
  }

  /// Returns where an element of some outputs is, in its array or mapped.
  const std::byte* RowOf(std::uint64_t output, std::size_t width, std::uint64_t element) {
    if (call_.row_outputs > 0) return RowAt(output, element);
    Map(element * call_.outputs + output, width);
    return mapped_[0];
  }

  /// Whether no element can be better: of bools.
  bool IsFound() const {
    const std::byte best{reduction_.method == Method::kGreatest};
    return reduction_.types[0] == ValueType::kBool && sum_[0][0] == best;
  }

  /// The number of rows of a leaf, and of elements that join it.
  std::pair<std::size_t, std::size_t> RowsOf(std::uint64_t leaf, std::uint64_t leaves) const {
    const std::uint64_t start = leaf * tree_.leaf_rows;
    const bool is_last = leaf + leaves == tree_.leaves;
    const std::uint64_t rows = is_last ? tree_.rows - start : leaves * tree_.leaf_rows;
    return {static_cast<std::size_t>(rows), static_cast<std::size_t>(is_last ? tree_.rest : 0)};
  }

  /// Combines leaves that are mapped at once.
  void ReduceLeaves(std::uint64_t output, std::size_t width, std::uint64_t leaf,
                    std::uint64_t leaves) {
    const auto [lanes, all, more, leaf_rows] = Sizes();
    const auto [rows, rest] = RowsOf(leaf, leaves);
    const std::size_t row = lanes * width;
    const std::size_t whole = rows / leaf_rows;
    const std::size_t step = leaf_rows * row;
    const std::uint64_t element = leaf * tree_.leaf_rows * tree_.lanes;
    const std::uint64_t scale = call_.is_across ? width : 1;
    const Sources& from = ElementsOf(output, element * scale, rows * row + rest * width);
    Fold(sum_, 0, from, 0, {whole, leaf_rows, row, StepOver(row), step, row, false});
    if (rows % leaf_rows > 0) {
      Fold(sum_, whole * row, from, whole * step,
           {1, rows % leaf_rows, row, StepOver(row), 0, 0, false});
    }
    if (rest > 0) {
      const std::size_t last = static_cast<std::size_t>(leaves - 1) * row;
      Fold(sum_, last, from, rows * row, {1, 1, rest * width, 0, 0, 0, true});
    }
    Climb(static_cast<std::size_t>(leaves), row);
  }

  /// Combines a leaf that is mapped part by part.
  void ReduceLeaf(std::uint64_t output, std::size_t width, std::uint64_t leaf) {
    const auto lanes = static_cast<std::size_t>(tree_.lanes);
    const auto [rows, rest] = RowsOf(leaf, 1);
    const std::size_t row = lanes * width;
    const std::uint64_t element = leaf * tree_.leaf_rows * tree_.lanes;
    if (call_.row_outputs > 0) {
      ReduceRows(output, width, element, rows, rest);
      return;
    }
    if (!AreTogether(width)) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        for (std::size_t at = 0; at < rows + (lane < rest ? 1 : 0); ++at) {
          Map((element + at * lanes + lane) * call_.outputs + output, width);
          Fold(sum_, lane * width, mapped_, 0, {1, 1, width, 0, 0, 0, at > 0});
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
      const Sources& from = ElementsOf(output, element * scale + done, count);
      const bool adds = done >= row;
      if (count >= row) {
        Fold(sum_, 0, from, 0, {1, count / row, row, StepOver(row), 0, 0, adds});
      } else {
        Fold(sum_, at, from, 0, {1, 1, count, 0, 0, 0, adds});
      }
      done += count;
    }
  }

  /// The elements of the array from a row of neighbours to the next one.
  std::int64_t RowStep() const {
    const auto size = static_cast<std::int64_t>(SizeOf(reduction_.element_types[0]));
    return call_.element.arrays[SourceOf(reduction_)].strides[0] / size;
  }

  /// Where an element of an output is in the array.
  const std::byte* RowAt(std::uint64_t output, std::uint64_t element) const {
    const auto& [base, strides, first] = call_.element.arrays[SourceOf(reduction_)];
    std::int64_t before = static_cast<std::int64_t>(element) * strides[0];
    for (std::size_t axis = strides.size(); axis-- > 1; output /= call_.element.shape[axis]) {
      before += static_cast<std::int64_t>(output % call_.element.shape[axis]) * strides[axis];
    }
    return base + before;
  }

  /// Combines a leaf whose elements are neighbours of those of the next output.
  void ReduceRows(std::uint64_t output, std::size_t width, std::uint64_t element, std::size_t rows,
                  std::size_t rest) {
    const std::int64_t step = RowStep();
    const auto lanes = static_cast<std::int64_t>(tree_.lanes);
    const Sources& from = InArray(RowAt(output, element));
    if (step == static_cast<std::int64_t>(width)) {
      const std::size_t row = width * static_cast<std::size_t>(lanes);
      Fold(sum_, 0, from, 0, {1, rows, row, StepOver(row), 0, 0, false});
      if (rest > 0) Fold(sum_, 0, from, rows * row, {1, 1, rest * width, 0, 0, 0, true});
      return;
    }
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      const std::size_t own = rows + (static_cast<std::size_t>(lane) < rest ? 1 : 0);
      const Sources& of_lane = InArray(RowAt(output, element + static_cast<std::uint64_t>(lane)));
      const auto at = static_cast<std::size_t>(lane) * width;
      Fold(sum_, at, of_lane, 0, {1, own, width, step * lanes, 0, 0, false});
    }
  }

  /// Computes the lanes of a piece of some outputs.
  void ReducePiece(std::uint64_t output, std::size_t width, std::uint64_t piece) {
    const std::uint64_t first = piece * tree_.size;
    Reduce(output, width, first, std::min(first + tree_.size, tree_.leaves));
    const auto lanes = static_cast<std::size_t>(tree_.lanes);
    if (!call_.is_across) {
      Push(sum_, lanes, (output * tree_.pieces + piece) * lanes);
      return;
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      Copy(done_, 0, sum_, lane * width, width);
      Finish(done_, (piece * lanes + lane) * call_.outputs + output, width);
    }
  }

  /// Combines the totals of the leaves from one to before another into what is before it.
  void AddTotals(std::uint64_t leaf, std::uint64_t end, std::uint64_t output, std::size_t width) {
    for (; leaf < end; ++leaf) {
      for (std::size_t column = 0; column < width; ++column) {
        const std::uint64_t item = (output + column) * tree_.pieces + leaf;
        Copy(sum_, column, call_.totals, static_cast<std::size_t>(item), 1);
      }
      if (leaf == 0) {
        Copy(before_, 0, sum_, 0, width);
      } else {
        Combine(before_, 0, sum_, 0, before_, 0, width);
      }
    }
  }

  /// Scans all leaves of some outputs, or one leaf. `before_` has what is before it.
  void Scan(std::uint64_t output, std::size_t width, std::uint64_t piece) {
    const std::uint64_t end = call_.is_cut ? piece + 1 : tree_.leaves;
    for (std::uint64_t leaf = piece; leaf < end; ++leaf) {
      if (call_.is_across) {
        ScanAcross(output, width, leaf);
      } else {
        ScanAlong(output, leaf);
      }
    }
  }

  void ScanAcross(std::uint64_t output, std::size_t width, std::uint64_t leaf) {
    const std::uint64_t start = leaf * tree_.leaf_rows;
    const std::uint64_t end = std::min(start + tree_.leaf_rows, tree_.rows);
    for (std::uint64_t row = start; row < end; ++row) {
      const std::uint64_t at = row * call_.outputs + output;
      Map(at, width);
      Fold(sum_, 0, mapped_, 0, {1, 1, width, 0, 0, 0, row > start});
      Store(leaf, width, at);
    }
    if (!call_.is_cut) Copy(before_, 0, leaf > 0 ? done_ : sum_, 0, width);
  }

  void ScanAlong(std::uint64_t output, std::uint64_t leaf) {
    const std::uint64_t start = leaf * tree_.leaf_rows;
    const std::uint64_t end = std::min(start + tree_.leaf_rows, tree_.rows);
    for (std::size_t index = 0; leaf > 0 && index < before_.size(); ++index) {
      Repeat(before_[index], SizeAt(index), chunk_);
    }
    std::size_t count = 0;
    for (std::uint64_t row = start; row < end; row += count) {
      const std::size_t last = count;
      count = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_, end - row));
      const std::uint64_t at = output * call_.elements + row;
      Map(at, count);
      if (last > 0) {
        Copy(sum_, 0, sum_, last - 1, 1);
        Combine(sum_, 0, mapped_, 0, sum_, 0, 1);
      } else {
        Copy(sum_, 0, mapped_, 0, 1);
      }
      ScanChunk(count);
      Store(leaf, count, at);
    }
    if (!call_.is_cut) Copy(before_, 0, leaf > 0 ? done_ : sum_, count - 1, 1);
  }

  void ScanChunk(std::size_t count) {
    if (reduction_.loops.empty()) {
      for (std::size_t index = 1; index < count; ++index) {
        Combine(sum_, index - 1, mapped_, index, sum_, index, 1);
      }
      return;
    }
    for (std::size_t index = 0; index < sum_.size(); ++index) {
      const std::size_t size = SizeAt(index);
      reduction_.loops[index].scan(sum_[index] + size, sum_[index], mapped_[index] + size,
                                   count - 1);
    }
  }

  /// Stores what there is of a leaf, behind what is before it. Keeps it in `done_`.
  void Store(std::uint64_t leaf, std::size_t count, std::uint64_t first) {
    if (leaf > 0) Combine(before_, 0, sum_, 0, done_, 0, count);
    Finish(leaf > 0 ? done_ : sum_, first, count);
  }

  /// Has the first value in all of a row.
  static void Repeat(std::byte* values, std::size_t size, std::size_t count) {
    for (std::size_t done = size; done < count * size;) {
      const std::size_t more = std::min(done, count * size - done);
      std::memcpy(values + done, values, more);
      done += more;
    }
  }

  ReductionCall call_;  ///< whose programs are told where the accumulators are
  const Reduction& reduction_;
  const Tree& tree_;
  std::uint64_t width_;
  std::size_t chunk_;  ///< elements that are mapped at once
  ScratchBlock block_{kChunks * chunk_ * sizeof(double)};
  std::pmr::monotonic_buffer_resource memory_{block_.get(), block_.size(), &Scratch()};
  Staging staging_;
  Worker element_;
  Worker pair_;
  Worker step_;
  Worker finish_;
  Sources in_array_{nullptr};  ///< the only one, if elements are read where they are
  Sources mapped_;  ///< of the elements that were mapped last, in `buffer_` or where they are
  Values buffer_;
  Values sum_;     ///< what was combined until now
  Values before_;  ///< of a scan: what is before a leaf
  Values done_;    ///< what is stored next
  Values first_;   ///< of pairs that are not neighbours, for their program
  Values second_;  ///< the others
  std::vector<Values> levels_;
  std::uint64_t needed_ = 0;  ///< mapped elements are before this one
  std::uint64_t first_pending_ = 0;
  std::size_t pending_ = 0;
};

/// Has threads combine pieces of each tree, which are subtrees.
void RunInPieces(const ReductionCall& call, std::uint64_t units, std::size_t threads) {
  const std::uint64_t leaves = call.tree.leaves;
  std::uint64_t size = kFewestLeaves;
  while (size * threads * 4 < leaves) size *= 2;
  const std::uint64_t count = (leaves - 1) / size + 1;
  Reducer whole(call);
  const std::size_t bytes = whole.RowBytes();
  std::vector<std::byte> pieces(count * bytes);
  for (std::uint64_t unit = 0; unit < units; ++unit) {
    std::atomic<std::uint64_t> next{0};
    std::atomic<bool> is_known{false};
    std::fill(pieces.begin(), pieces.end(), std::byte{0});  // what others decide may stay
    on_threads(std::min<std::size_t>(threads, count), [&](std::size_t) {
      Reducer own(call);
      for (std::uint64_t piece = next++; piece < count && !is_known; piece = next++) {
        const std::uint64_t first = piece * size;
        std::byte* const to = pieces.data() + piece * bytes;
        if (own.Begin(unit, first, std::min(first + size, leaves), to)) is_known = true;
      }
    });
    whole.Join(unit, pieces.data(), count);
  }
}

/// Calls `work(reducer, first, end)` for as many parts of some units, each on a thread.
template <typename Work>
void InParts(const ReductionCall& call, std::uint64_t units, std::uint64_t parts, Work&& work) {
  on_threads(static_cast<std::size_t>(parts), [&](std::size_t part) {
    const auto at = [&](std::uint64_t index) {
      return units / parts * index + std::min(index, units % parts);
    };
    Reducer own(call);
    work(own, at(part), at(part + 1));
  });
}

/// Has threads share the leaves of a scan: they find what each leaf makes, and then scan it.
void RunInLeaves(const ReductionCall& call, std::uint64_t parts) {
  ReductionCall cut = call;
  cut.is_cut = true;
  cut.tree.pieces = cut.tree.leaves;
  const auto items = static_cast<std::size_t>(call.outputs * cut.tree.leaves);
  std::vector<std::vector<std::byte>> memory;
  Values totals;
  for (const ValueType type : call.reduction->types) {
    memory.emplace_back(items * SizeOf(type));
    totals.push_back(memory.back().data());
  }
  cut.totals.assign(totals.begin(), totals.end());
  const std::uint64_t units = UnitsOf(cut);
  InParts(cut, units, parts, [&](Reducer& own, std::uint64_t first, std::uint64_t end) {
    own.FindTotals(first, end, totals);
  });
  InParts(cut, units, parts,
          [](Reducer& own, std::uint64_t first, std::uint64_t end) { own.Run(first, end); });
}

}  // namespace

void RunReduction(const ReductionCall& call, std::size_t threads) {
  if (call.first == call.end) return;
  if (call.IsPlainScan()) {
    RunPlainScan(call, threads);
    return;
  }
  const std::uint64_t units = UnitsOf(call);
  const std::uint64_t most = (call.end - call.first) * call.elements / kFewestOfThread;
  const bool is_whole = !call.reduction->is_split && !call.reduction->is_scan;
  if (is_whole && !AreFewOf(call) && units < threads && call.tree.leaves >= 2 * kFewestLeaves &&
      most > 1) {
    RunInPieces(call, units, threads);
    return;
  }
  const std::uint64_t parts = std::clamp<std::uint64_t>(most, 1, std::max<std::size_t>(1, threads));
  if (call.reduction->is_scan && !call.is_cut && units < parts && call.tree.leaves > 1) {
    RunInLeaves(call, std::min(parts, call.tree.leaves));
    return;
  }
  InParts(call, units, std::min(parts, units),
          [](Reducer& own, std::uint64_t first, std::uint64_t end) { own.Run(first, end); });
}

}  // namespace array_interface
