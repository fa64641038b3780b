#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "pair_folds.hpp"
#include "reduction.hpp"
#include "values.hpp"

namespace array_interface {

/// A row of `count` values.
constexpr FoldShape OneRow(std::size_t count, bool adds) { return {1, 1, count, 0, 0, 0, adds}; }

/// How far ahead elements are asked for that were mapped just before.
constexpr std::ptrdiff_t kInCache = 64;

/// Rows that follow one another.
constexpr FoldShape RowsInTurn(std::size_t rows, std::size_t width, bool adds) {
  return {1, rows, width, static_cast<std::ptrdiff_t>(width), 0, 0, adds};
}

/// Combines the values of a reduction's accumulators, by the loops that it has for them, or else by
/// the program of a pair.
class Combiner {
 public:
  /// Throws std::bad_alloc.
  Combiner(const ReductionCall& call, ValueMemory& memory);

  /// Makes `count` values of two each. `to` may be one of them, at the same place.
  void Combine(ConstValues a, std::size_t a_at, ConstValues b, std::size_t b_at, const Values& to,
               std::size_t at, std::size_t count);

  /// Combines the rows of each group. The results may be where the rows are.
  void Fold(const Values& to, std::size_t at, ConstValues from, std::size_t start,
            const FoldShape& shape);

  /// The same of rows of elements, which are converted.
  void FoldElements(const Values& to, std::size_t at, const Sources& from, std::size_t start,
                    const FoldShape& shape);

  /// The same of one group of few rows, by loops of their own if there are some.
  void FoldFew(const Values& to, const Sources& from, const FoldShape& shape);
  bool HasFew() const;

  /// Returns the row behind `rows` of `lanes` elements, which ends where the elements of a group
  /// do: what is left, or as many as in the other rows if some may be combined again. A group has
  /// at least one whole row.
  FoldShape RestOf(const FoldShape& rows, std::size_t elements, std::size_t lanes) const;

  /// Combines the lanes of each group, which are as wide as `width`, until so few are left.
  void Halve(const Values& values, std::size_t groups, std::size_t width, std::size_t lanes,
             std::size_t fewest);

  /// Whether one of some lanes has the value that no element changes. The result of all lanes is
  /// then that value.
  bool IsDecided(const Values& values, std::size_t lanes) const;
  /// Whether all of them have that value.
  bool AreDecided(const Values& values, std::size_t lanes) const;

 private:
  const Reduction& reduction_;
  std::optional<PairFolds> pairs_;  ///< if there are no loops
};

}  // namespace array_interface
