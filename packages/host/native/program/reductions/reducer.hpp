#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "combiner.hpp"
#include "elements.hpp"
#include "exact_folds.hpp"
#include "place_finder.hpp"
#include "reduction.hpp"
#include "results.hpp"
#include "units.hpp"
#include "values.hpp"

namespace array_interface {

/// Computes outputs on one thread, by the tree of ADR 36.
class Reducer {
 public:
  /// Throws std::bad_alloc.
  explicit Reducer(const ReductionCall& call);

  /// Computes units from `first` to before `end`. Throws std::bad_alloc, as the next ones.
  void Run(std::uint64_t first, std::uint64_t end);

  /// The bytes of what is combined of some outputs.
  std::size_t RowBytes() const;
  /// Combines leaves of a unit, and writes the lanes. Returns whether they decide the result.
  bool Begin(std::uint64_t unit, std::uint64_t first, std::uint64_t end, std::byte* to);
  /// Combines the lanes of so many pieces of a unit.
  void Join(std::uint64_t unit, const std::byte* pieces, std::uint64_t count);

  /// Writes what the leaves of units make that are cut, one row of all leaves for each output.
  void FindTotals(std::uint64_t first, std::uint64_t end, const Values& totals);

 private:
  bool Reduce(std::uint64_t output, std::size_t width, std::uint64_t first, std::uint64_t end);
  bool ReduceTree(std::uint64_t output, std::size_t width, std::uint64_t first, std::uint64_t end);
  void ReduceLeaves(std::uint64_t output, std::size_t width, std::uint64_t leaf,
                    std::uint64_t leaves);
  void ReduceLeaf(std::uint64_t output, std::size_t width, std::uint64_t leaf);
  void ReduceRows(std::uint64_t output, std::size_t width, std::uint64_t element, std::size_t rows,
                  std::size_t rest);
  void ReduceFew(std::uint64_t first, std::size_t outputs);
  bool AreFewRows(std::size_t width) const;
  void ReduceFewRows(std::uint64_t output, std::size_t width);
  void ReducePiece(std::uint64_t output, std::size_t width, std::uint64_t piece);
  void CountUp(std::uint64_t earlier, bool is_last, std::size_t width);
  void Climb(std::size_t rows, std::size_t width);
  void End(std::uint64_t output, std::size_t width);
  void Finish(std::uint64_t output, std::size_t width);
  void CombineRepeats(std::size_t width);
  bool AreTogether(std::size_t width) const;
  std::pair<std::size_t, std::size_t> RowsOf(std::uint64_t leaf, std::uint64_t leaves) const;
  std::size_t lanes() const { return static_cast<std::size_t>(tree_.lanes); }
  std::size_t SizeAt(std::size_t index) const { return SizeOf(reduction_.types[index]); }

  const ReductionCall& call_;
  const Reduction& reduction_;
  const Tree& tree_;
  Units units_;
  std::size_t chunk_;  ///< elements that are mapped at once
  ValueMemory memory_{chunk_};
  Elements elements_;
  Combiner combiner_;
  Results results_;
  Values sum_;  ///< what was combined until now
  ExactFolds exact_;
  PlaceFinder places_;
  std::vector<Values> levels_;
};

}  // namespace array_interface
