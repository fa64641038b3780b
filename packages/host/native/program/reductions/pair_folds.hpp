#pragma once

#include <cstddef>
#include <cstdint>

#include "program/worker.hpp"
#include "reduction.hpp"
#include "values.hpp"

namespace array_interface {

/// Combines values by the program of a pair, which takes a row of many groups at once. Its rows
/// follow one another.
class PairFolds {
 public:
  /// Throws std::bad_alloc.
  PairFolds(const ReductionCall& call, ValueMemory& memory);

  /// Makes `count` values of two each. `to` may be one of them, at the same place.
  void Combine(ConstValues a, std::size_t a_at, ConstValues b, std::size_t b_at, const Values& to,
               std::size_t at, std::size_t count);

  /// Combines the rows of each group. The results may be where the rows are.
  void Fold(const Values& to, std::size_t at, ConstValues from, std::size_t start,
            const FoldShape& shape);

  /// The same of rows of elements. Each value that is there is of as many elements.
  void FoldElements(const Values& to, std::size_t at, ConstValues from, std::size_t start,
                    const FoldShape& shape);

 private:
  template <typename AddRows>
  void FoldInBlocks(const Values& to, std::size_t at, ConstValues from, std::size_t start,
                    const FoldShape& shape, AddRows&& add);
  void Step(ConstValues from, std::size_t at, std::size_t from_step, std::size_t groups,
            std::size_t width);
  void Gather(const Values& to, ConstValues from, std::size_t start, std::size_t step,
              std::size_t groups, std::size_t width) const;
  void GatherOne(std::size_t index, const Values& to, ConstValues from, std::size_t start,
                 std::size_t step, std::size_t groups, std::size_t width) const;
  void Scatter(const Values& to, std::size_t at, std::size_t step, std::size_t groups,
               std::size_t width) const;
  std::size_t SizeAt(std::size_t index) const { return SizeOf(reduction_.types[index]); }

  const Reduction& reduction_;
  ProgramCall pair_call_;  ///< which is told where the accumulators are, as the next one
  ProgramCall step_call_;
  Worker pair_;
  Worker step_;
  Values first_;   ///< of pairs that are not neighbours
  Values second_;  ///< the others
};

}  // namespace array_interface
