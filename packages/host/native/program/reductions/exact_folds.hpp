#pragma once

#include <cstddef>
#include <cstdint>

#include "combiner.hpp"
#include "elements.hpp"
#include "reduction.hpp"
#include "values.hpp"

namespace array_interface {

/// Combines elements in any order, since no operation rounds: in lanes that fill vectors.
class ExactFolds {
 public:
  /// For values that are written to `sum`.
  ExactFolds(const ReductionCall& call, Elements& elements, Combiner& combiner, const Values& sum)
      : call_(call), elements_(elements), combiner_(combiner), sum_(sum) {}

  /// Combines some elements of one output, to the lanes of the tree. Returns whether they decide
  /// the result.
  bool FoldAlong(std::uint64_t output, std::uint64_t first, std::uint64_t end);

  /// Combines some elements of each of some outputs that are nearer than their elements, to a value
  /// of each.
  void FoldAcross(std::uint64_t output, std::size_t width, std::uint64_t first, std::uint64_t end);

  /// Combines all elements of some outputs, whose rows are nearer to one another than to the next
  /// ones of each, to a value of each.
  void FoldBeside(std::uint64_t output, std::size_t width);

 private:
  void FoldColumns(std::uint64_t output);
  void FoldRows(std::uint64_t output, std::size_t width, std::uint64_t first, std::uint64_t end);

  const ReductionCall& call_;
  Elements& elements_;
  Combiner& combiner_;
  const Values& sum_;
};

}  // namespace array_interface
