// Loops of the number of some float64, the sum of their squared differences, and their mean (ADR
// 36). As in loops.hpp, each file that includes this is compiled for other vectors.
#pragma once

#include "program/instruction.hpp"
#include "program/loops/loops.hpp"

namespace array_interface {
namespace {

/// The moments of two sets, as Chan, Golub and LeVeque merge them.
template <typename Value>
void MergeValues(const Value* a, const Value* b, Value* to) {
  const Value difference = b[2] - a[2];
  const Value number = a[0] + b[0];
  to[1] = a[1] + b[1] + difference * difference * (a[0] * b[0] / number);
  to[2] = a[2] + difference * (b[0] / number);
  to[0] = number;
}

template <typename Value>
void MergeAt(const Moments& a, const Moments& b, const Moments& to, std::size_t at) {
  Value of_a[3];
  Value of_b[3];
  Value merged[3];
  for (std::size_t index = 0; index < 3; ++index) {
    Read(of_a[index], a[index] + at);
    Read(of_b[index], b[index] + at);
  }
  MergeValues(of_a, of_b, merged);
  for (std::size_t index = 0; index < 3; ++index) {
    __builtin_memcpy(to[index] + at, &merged[index], sizeof(Value));
  }
}

void MergeMoments(const Moments& a, const Moments& b, const Moments& to, std::size_t count) {
  std::size_t at = 0;
  for (; at + 8 <= count; at += 8) MergeAt<VectorOf<double, 8>::Type>(a, b, to, at);
  for (; at < count; ++at) MergeAt<double>(a, b, to, at);
}

/// Takes rows of `count` vectors of `lanes` neighbours, which stay in registers.
template <typename From, std::size_t lanes, std::size_t count>
void FoldMomentVectors(const Moments& to, const From* from, const FoldShape& shape) {
  using Vector = typename VectorOf<double, lanes>::Type;
  Vector squares[count] = {};
  Vector mean[count];
  double number = 1;
  for (std::size_t at = 0; at < count; ++at) {
    if (shape.adds) {
      Read(squares[at], to[1] + at * lanes);
      Read(mean[at], to[2] + at * lanes);
    } else {
      ReadConverted(mean[at], from + at * lanes);
    }
  }
  if (shape.adds) number = *to[0];
  const From* next = shape.adds ? from : from + shape.row_step;
  const std::ptrdiff_t ahead = AheadOf(shape);
  for (std::size_t row = shape.adds ? 0 : 1; row < shape.rows; ++row, next += shape.row_step) {
    const double all = number + 1;
    const double weight = number / all;
    const double share = 1 / all;
    for (std::size_t at = 0; at < count; ++at) {
      Vector values;
      AskFor(next + at * lanes, ahead);
      ReadConverted(values, next + at * lanes);
      const Vector difference = values - mean[at];
      squares[at] += difference * difference * weight;
      mean[at] += difference * share;
    }
    number = all;
  }
  for (std::size_t at = 0; at < count; ++at) {
    const Vector numbers = Vector{} + number;
    __builtin_memcpy(to[0] + at * lanes, &numbers, sizeof numbers);
    __builtin_memcpy(to[1] + at * lanes, &squares[at], sizeof squares[at]);
    __builtin_memcpy(to[2] + at * lanes, &mean[at], sizeof mean[at]);
  }
}

template <typename From>
void FoldMoments(const Moments& to, const void* from, const FoldShape& shape) {
  for (std::size_t group = 0; group < shape.groups; ++group) {
    const std::size_t start = group * shape.to_step;
    const From* const rows = static_cast<const From*>(from) + group * shape.from_step;
    std::size_t lane = 0;
    const auto fold = [&](auto loop, std::size_t lanes) {
      for (; lane + lanes <= shape.width; lane += lanes) {
        const std::size_t at = start + lane;
        loop({to[0] + at, to[1] + at, to[2] + at}, rows + lane, shape);
      }
    };
    fold(FoldMomentVectors<From, 8, 4>, 32);
    fold(FoldMomentVectors<From, 8, 1>, 8);
    fold(FoldMomentVectors<From, 1, 1>, 1);
  }
}

MomentLoops MomentLoopsOf(ValueType from) {
  if (from == ValueType::kFloat32) return {FoldMoments<float>, MergeMoments};
  return {FoldMoments<double>, MergeMoments};
}

}  // namespace
}  // namespace array_interface
