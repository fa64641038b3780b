#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "kernels/host/on_threads.hpp"
#include "reduction.hpp"
#include "worker.hpp"

namespace array_interface {

namespace {

/// Elements that are mapped, and results that are stored, at once.
constexpr std::size_t kChunk = 4096;
/// Outputs that are computed at once: all levels of their trees fit a second cache.
constexpr std::size_t kWidth = 512;
constexpr std::size_t kAlignment = 64;
constexpr std::uint64_t kFewestOfThread = 1 << 15;

/// The number of outputs that are computed at once.
std::uint64_t WidthOf(const ReductionCall& call) {
  return call.is_across ? std::min<std::uint64_t>(kWidth, call.end - call.first) : 1;
}

/// The parts that threads share: pieces of one output, or of some.
std::uint64_t UnitsOf(const ReductionCall& call) {
  const std::uint64_t width = WidthOf(call);
  return (call.end - call.first + width - 1) / width * call.tree.pieces;
}

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
        element_(call_.element, kChunk),
        pair_(PairOf(call_), kChunk),
        finish_(call_.finish, kChunk),
        mapped_(reduction_.types.size()),
        buffer_(NewValues(kChunk)),
        sum_(NewValues(kChunk)),
        before_(NewValues(kChunk)),
        done_(NewValues(kChunk)) {}

  /// Computes units from `first` to before `end`.
  void Run(std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t unit = first; unit < end; ++unit) {
      const std::uint64_t piece = unit % tree_.pieces;
      const std::uint64_t output = call_.first + unit / tree_.pieces * width_;
      const auto width = static_cast<std::size_t>(std::min(width_, call_.end - output));
      if (reduction_.is_scan) {
        if (piece > 0) AddTotals(unit == first ? 0 : piece - 1, piece, output, width);
        Scan(output, width, piece);
      } else if (call_.is_across) {
        ReduceAcross(output, width, piece);
      } else {
        ReduceAlong(output, piece);
      }
    }
    Flush();
  }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  static const ProgramCall& PairOf(ReductionCall& call) {
    call.pair.shape = {kChunk};
    call.pair.end = kChunk;
    return call.pair;
  }

  std::size_t SizeAt(std::size_t index) const { return SizeOf(reduction_.types[index]); }

  Values NewValues(std::size_t count) {
    Values made;
    for (const ValueType type : reduction_.types) {
      const std::size_t bytes = (count * SizeOf(type) + kAlignment - 1) / kAlignment * kAlignment;
      memory_.emplace_back(static_cast<std::byte*>(std::aligned_alloc(kAlignment, bytes)));
      if (memory_.back() == nullptr) throw std::bad_alloc();
      made.push_back(memory_.back().get());
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
    if (IsSame(to, at, a, a_at) && !reduction_.loops.empty()) {
      FoldRows(b, b_at, 1, to, at, count);
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

  template <typename A>
  static bool IsSame(const Values& to, std::size_t at, const A& a, std::size_t a_at) {
    return to[0] == a[0] && at == a_at;
  }

  /// Combines sums with rows as wide as them.
  template <typename B>
  void FoldRows(const B& rows, std::size_t start, std::size_t count, const Values& sums,
                std::size_t at, std::size_t width) {
    if (reduction_.loops.empty()) {
      for (std::size_t row = 0; row < count; ++row) {
        Combine(sums, at, rows, start + row * width, sums, at, width);
      }
      return;
    }
    for (std::size_t index = 0; index < sums.size(); ++index) {
      const std::size_t size = SizeAt(index);
      reduction_.loops[index].fold(sums[index] + at * size, rows[index] + start * size, count,
                                   width);
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
    element_.Run(first, first + count, [&](std::size_t before, std::size_t done) {
      for (std::size_t index = 0; index < mapped_.size(); ++index) {
        mapped_[index] = done == count ? element_.Result(index) : buffer_[index];
        if (done == count) continue;
        const std::size_t size = SizeAt(index);
        std::memcpy(buffer_[index] + before * size, element_.Result(index), done * size);
      }
    });
  }

  void Finish(const Values& values, std::uint64_t first, std::size_t count) {
    Place(call_.finish, 0, values, 0, first);
    finish_.Run(first, first + count);
  }

  /// Stores values in the order of their indices, many at once.
  void Push(const Values& values, std::size_t count, std::uint64_t first) {
    if (pending_ + count > kChunk || first != first_pending_ + pending_) Flush();
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
    if (levels.size() <= level) levels.push_back(NewValues(std::max<std::size_t>(width_, 32)));
    Copy(levels[level], 0, sum_, 0, width);
  }

  /// The leaves of a piece: the rows from its first to before its last one.
  struct Rows {
    std::uint64_t first;
    std::uint64_t end;
    bool has_rest;
  };
  Rows RowsOf(std::uint64_t piece) const {
    const std::uint64_t first = piece * tree_.size;
    const std::uint64_t leaves = std::min(tree_.size, tree_.leaves - first);
    const bool is_last = first + leaves == tree_.leaves;
    const std::uint64_t start = first * tree_.leaf_rows;
    const std::uint64_t end = is_last ? tree_.rows : start + leaves * tree_.leaf_rows;
    return {start, end, is_last && tree_.rest > 0};
  }

  /// Combines a piece of all lanes of one output, which are next to each other.
  void ReduceAlong(std::uint64_t output, std::uint64_t piece) {
    const auto lanes = static_cast<std::size_t>(tree_.lanes);
    const auto [start, end, has_rest] = RowsOf(piece);
    const std::uint64_t first = output * call_.elements;
    std::uint64_t leaf = 0;
    for (std::uint64_t row = start; row < end;) {
      const std::uint64_t count = std::min<std::uint64_t>(kChunk / lanes, end - row);
      Map(first + row * lanes, static_cast<std::size_t>(count) * lanes);
      for (std::uint64_t done = 0; done < count;) {
        const std::uint64_t in_leaf = (row + done) % tree_.leaf_rows;
        const std::uint64_t own = std::min(tree_.leaf_rows - in_leaf, count - done);
        const std::size_t is_first = in_leaf == 0 ? 1 : 0;
        const auto at = static_cast<std::size_t>(done) * lanes;
        if (is_first == 1) Copy(sum_, 0, mapped_, at, lanes);
        FoldRows(mapped_, at + is_first * lanes, static_cast<std::size_t>(own) - is_first, sum_, 0,
                 lanes);
        done += own;
        const bool is_whole = in_leaf + own == tree_.leaf_rows;
        if (is_whole && row + done < end) CountUp(levels_, leaf++, false, lanes);
      }
      row += count;
    }
    if (has_rest) {
      const auto rest = static_cast<std::size_t>(tree_.rest);
      Map(first + tree_.rows * lanes, rest);
      Combine(sum_, 0, mapped_, 0, sum_, 0, rest);
    }
    CountUp(levels_, leaf, true, lanes);
    if (reduction_.is_split) {
      Push(sum_, lanes, (output * tree_.pieces + piece) * lanes);
      return;
    }
    for (std::size_t half = lanes / 2; half > 0; half /= 2)
      Combine(sum_, 0, sum_, half, sum_, 0, half);
    Push(sum_, 1, output);
  }

  /// The bits of a number, reversed as far as there are lanes: the order in which a counter
  /// combines halves.
  std::uint64_t Reversed(std::uint64_t number) const {
    std::uint64_t reversed = 0;
    for (std::uint64_t bit = 1; bit < tree_.lanes; bit *= 2, number /= 2) {
      reversed = reversed * 2 + number % 2;
    }
    return reversed;
  }

  /// Combines a piece of some outputs, lane by lane.
  void ReduceAcross(std::uint64_t output, std::size_t width, std::uint64_t piece) {
    for (std::uint64_t number = 0; number < tree_.lanes; ++number) {
      if (reduction_.is_split) {
        ReduceLane(output, width, piece, number);
        Finish(sum_, (piece * tree_.lanes + number) * call_.outputs + output, width);
      } else {
        ReduceLane(output, width, piece, Reversed(number));
        CountUp(lanes_, number, number + 1 == tree_.lanes, width);
      }
    }
    if (!reduction_.is_split) Finish(sum_, output, width);
  }

  void ReduceLane(std::uint64_t output, std::size_t width, std::uint64_t piece,
                  std::uint64_t lane) {
    const auto [start, end, has_rest] = RowsOf(piece);
    const std::uint64_t rows = end + (has_rest && lane < tree_.rest ? 1 : 0);
    std::uint64_t leaf = 0;
    for (std::uint64_t row = start; row < rows; ++row) {
      Map((row * tree_.lanes + lane) * call_.outputs + output, width);
      const bool is_first = row % tree_.leaf_rows == 0 && row < end;
      if (is_first && row > start) CountUp(levels_, leaf++, false, width);
      if (is_first) {
        Copy(sum_, 0, mapped_, 0, width);
      } else {
        FoldRows(mapped_, 0, 1, sum_, 0, width);
      }
    }
    CountUp(levels_, leaf, true, width);
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
    const std::uint64_t end = reduction_.is_split ? piece + 1 : tree_.leaves;
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
      if (row == start) {
        Copy(sum_, 0, mapped_, 0, width);
      } else {
        FoldRows(mapped_, 0, 1, sum_, 0, width);
      }
      Store(leaf, width, at);
    }
    if (!reduction_.is_split) Copy(before_, 0, leaf > 0 ? done_ : sum_, 0, width);
  }

  void ScanAlong(std::uint64_t output, std::uint64_t leaf) {
    const std::uint64_t start = leaf * tree_.leaf_rows;
    const std::uint64_t end = std::min(start + tree_.leaf_rows, tree_.rows);
    if (leaf > 0) Repeat(before_);
    std::size_t count = 0;
    for (std::uint64_t row = start; row < end; row += count) {
      const std::size_t last = count;
      count = static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, end - row));
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
    if (!reduction_.is_split) Copy(before_, 0, leaf > 0 ? done_ : sum_, count - 1, 1);
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

  /// Has the first value of each row in all of it.
  void Repeat(const Values& values) const {
    for (std::size_t index = 0; index < values.size(); ++index) {
      const std::size_t bytes = kChunk * SizeAt(index);
      for (std::size_t done = SizeAt(index); done < bytes;) {
        const std::size_t more = std::min(done, bytes - done);
        std::memcpy(values[index] + done, values[index], more);
        done += more;
      }
    }
  }

  ReductionCall call_;  ///< whose programs are told where the accumulators are
  const Reduction& reduction_;
  const Tree& tree_;
  std::uint64_t width_;
  std::vector<std::unique_ptr<std::byte, Free>> memory_;
  Worker element_;
  Worker pair_;
  Worker finish_;
  Sources mapped_;  ///< of the elements that were mapped last, in `buffer_` or where they are
  Values buffer_;
  Values sum_;     ///< what was combined until now
  Values before_;  ///< of a scan: what is before a leaf
  Values done_;    ///< what is stored next
  std::vector<Values> levels_;
  std::vector<Values> lanes_;
  std::uint64_t first_pending_ = 0;
  std::size_t pending_ = 0;
};

}  // namespace

void RunReduction(const ReductionCall& call, std::size_t threads) {
  if (call.first == call.end) return;
  const std::uint64_t units = UnitsOf(call);
  const std::uint64_t most = (call.end - call.first) * call.elements / kFewestOfThread;
  const std::uint64_t parts =
      std::clamp<std::uint64_t>(std::min(most, units), 1, std::max<std::size_t>(1, threads));
  on_threads(static_cast<std::size_t>(parts), [&](std::size_t part) {
    const auto at = [&](std::uint64_t index) {
      return units / parts * index + std::min(index, units % parts);
    };
    Reducer(call).Run(at(part), at(part + 1));
  });
}

}  // namespace array_interface
