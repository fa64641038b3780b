// The loops of the greatest of some float64, and of the sum of the exponentials of all less it,
// with the bits that the text of `logSumExp` has. Compiled as operations.hpp says.
#pragma once

#include "program/instruction.hpp"
#include "program/loops/exponential.hpp"
#include "program/loops/operations.hpp"

namespace array_interface {
namespace {

/// The rows of the accumulators.
enum ExponentialRow { kMost, kTotal };

/// Merges what some elements make with what others make. Equal ones may be infinite.
void MergeExponentials(double& most, double& total, double other, double its_total) {
  const double exponential = Exponential::Of(-Absolute::Of(most - other));
  const double scale = most == other ? 1 : exponential;
  total = other <= most ? total + its_total * scale : total * scale + its_total;
  most = Maximum::Of(most, other);
}

void MergeExponentialRows(MethodRows a, MethodRows b, MethodRows to, std::size_t count) {
  for (std::size_t at = 0; at < count; ++at) {
    double most = a[kMost][at];
    double total = a[kTotal][at];
    MergeExponentials(most, total, b[kMost][at], b[kTotal][at]);
    to[kMost][at] = most;
    to[kTotal][at] = total;
  }
}

/// Takes one element for each value.
template <typename From>
void TakeExponentials(double* __restrict most, double* __restrict total, const From* from,
                      std::size_t count) {
  for (std::size_t at = 0; at < count; ++at) {
    MergeExponentials(most[at], total[at], static_cast<double>(from[at]), 1);
  }
}

template <typename From>
void FoldExponentials(MethodRows to, const void* from, const FoldShape& shape) {
  for (std::size_t group = 0; group < shape.groups; ++group) {
    double* const most = to[kMost] + group * shape.to_step;
    double* const total = to[kTotal] + group * shape.to_step;
    const From* next = static_cast<const From*>(from) + group * shape.from_step;
    for (std::size_t at = 0; !shape.adds && at < shape.width; ++at) {
      most[at] = static_cast<double>(next[at]);
      total[at] = 1;
    }
    if (!shape.adds) next += shape.row_step;
    for (std::size_t row = shape.adds ? 0 : 1; row < shape.rows; ++row, next += shape.row_step) {
      TakeExponentials(most, total, next, shape.width);
    }
  }
}

MethodLoops LogSumExpLoopsOf(ValueType from) {
  if (from == ValueType::kFloat32) return {FoldExponentials<float>, MergeExponentialRows};
  return {FoldExponentials<double>, MergeExponentialRows};
}

}  // namespace
}  // namespace array_interface
