#include "combiner.hpp"

#include <algorithm>

namespace array_interface {

namespace {

bool IsSame(const Values& to, std::size_t at, ConstValues from, std::size_t start) {
  return to[0] == from[0] && at == start;
}

/// The rows of a method's accumulators from a place on.
class RowsAt {
 public:
  RowsAt(std::size_t count, ConstValues values, std::size_t at) {
    for (std::size_t index = 0; index < count; ++index) {
      // Nothing writes what is read.
      rows_[index] = const_cast<double*>(reinterpret_cast<const double*>(values[index])) + at;
    }
  }

  operator MethodRows() const { return rows_; }

 private:
  double* rows_[3] = {};
};

}  // namespace

Combiner::Combiner(const ReductionCall& call, ValueMemory& memory) : reduction_(*call.reduction) {
  if (!HasLoops(reduction_)) pairs_.emplace(call, memory);
}

void Combiner::Combine(ConstValues a, std::size_t a_at, ConstValues b, std::size_t b_at,
                       const Values& to, std::size_t at, std::size_t count) {
  if (HasMethodLoops(reduction_)) {
    const std::size_t rows = to.size();
    reduction_.method_loops.merge(RowsAt(rows, a, a_at), RowsAt(rows, b, b_at),
                                  RowsAt(rows, to, at), count);
    return;
  }
  if (pairs_) {
    pairs_->Combine(a, a_at, b, b_at, to, at, count);
    return;
  }
  if (IsSame(to, at, b, b_at)) {
    Fold(to, at, a, a_at, OneRow(count, true));  // each operation that has a loop is commutative
    return;
  }
  if (!IsSame(to, at, a, a_at)) CopyValues(reduction_.types, to, at, a, a_at, count);
  Fold(to, at, b, b_at, OneRow(count, true));
}

void Combiner::Fold(const Values& to, std::size_t at, ConstValues from, std::size_t start,
                    const FoldShape& shape) {
  if (HasMethodLoops(reduction_)) {
    // Those of pairs, which are two rows.
    for (std::size_t group = 0; group < shape.groups; ++group) {
      const std::size_t own = start + group * shape.from_step;
      Combine(from, own, from, own + shape.width, to, at + group * shape.to_step, shape.width);
    }
    return;
  }
  if (pairs_) {
    pairs_->Fold(to, at, from, start, shape);
    return;
  }
  for (std::size_t index = 0; index < to.size(); ++index) {
    const std::size_t size = SizeOf(reduction_.types[index]);
    reduction_.loops[index].folds.fold(to[index] + at * size, from[index] + start * size, shape);
  }
}

void Combiner::FoldElements(const Values& to, std::size_t at, const Sources& from,
                            std::size_t start, const FoldShape& shape) {
  if (HasMethodLoops(reduction_)) {
    const std::byte* const first = from[0] + start * SizeOf(reduction_.element_types[0]);
    reduction_.method_loops.fold(RowsAt(to.size(), to, at), first, shape);
    return;
  }
  if (pairs_) {
    pairs_->FoldElements(to, at, from, start, shape);
    return;
  }
  for (std::size_t index = 0; index < to.size(); ++index) {
    const std::size_t size = SizeOf(reduction_.types[index]);
    const std::size_t from_size = SizeOf(reduction_.element_types[index]);
    reduction_.element_folds[index].fold(to[index] + at * size, from[index] + start * from_size,
                                         shape);
  }
}

bool Combiner::HasFew() const {
  const auto has_few = [](const ElementFolds& folds) { return folds.few != nullptr; };
  const auto& all = reduction_.element_folds;
  return !all.empty() && std::all_of(all.begin(), all.end(), has_few);
}

void Combiner::FoldFew(const Values& to, const Sources& from, const FoldShape& shape) {
  for (std::size_t index = 0; index < to.size(); ++index) {
    reduction_.element_folds[index].few(to[index], from[index], shape);
  }
}

FoldShape Combiner::RestOf(const FoldShape& rows, std::size_t elements, std::size_t lanes) const {
  FoldShape rest = rows;
  rest.rows = 1;
  rest.width = reduction_.is_idempotent ? lanes : elements % lanes;
  rest.row_step = static_cast<std::ptrdiff_t>(rest.width);
  rest.adds = true;
  return rest;
}

void Combiner::Halve(const Values& values, std::size_t groups, std::size_t width, std::size_t lanes,
                     std::size_t fewest) {
  if (!reduction_.loops.empty() && groups > 1 && width == 1 && lanes >= 8 && fewest == 1) {
    for (std::size_t index = 0; index < values.size(); ++index) {
      reduction_.loops[index].halve(values[index], groups, lanes);
    }
    return;
  }
  for (; lanes > fewest; lanes /= 2) {
    const std::size_t all = lanes * width;
    const std::size_t half = all / 2;
    Fold(values, 0, values, 0,
         {groups, 2, half, static_cast<std::ptrdiff_t>(half), all, half, false});
  }
}

bool Combiner::IsDecided(const Values& values, std::size_t lanes) const {
  if (reduction_.absorbs == Absorbs::kNothing) return false;
  const std::byte* const first = values[0];
  const auto is_true = [](std::byte one) { return one != std::byte{0}; };
  if (reduction_.absorbs == Absorbs::kTrue) return std::any_of(first, first + lanes, is_true);
  return !std::all_of(first, first + lanes, is_true);
}

bool Combiner::AreDecided(const Values& values, std::size_t lanes) const {
  if (reduction_.absorbs == Absorbs::kNothing) return false;
  const bool is_true = reduction_.absorbs == Absorbs::kTrue;
  const auto is_decided = [&](std::byte one) { return (one != std::byte{0}) == is_true; };
  return std::all_of(values[0], values[0] + lanes, is_decided);
}

}  // namespace array_interface
