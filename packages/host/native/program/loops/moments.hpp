// The loops of the number of some float64, the sum of their squared differences, and their mean
// (ADR 36). Compiled as operations.hpp says.
#pragma once

#include "program/instruction.hpp"
#include "program/loops/operations.hpp"
#include "program/loops/vectors.hpp"

namespace array_interface {
namespace {

/// The rows of the accumulators.
enum MomentRow { kNumbers, kSquares, kMeans };

template <typename Value>
void Write(double* to, const Value& values) {
  __builtin_memcpy(to, &values, sizeof values);
}

/// The moments of some sets, one in each lane.
template <typename Value>
struct Sets {
  Value number;
  Value squares;
  Value mean;

  Sets(MethodRows from, std::size_t at) {
    Read(number, from[kNumbers] + at);
    Read(squares, from[kSquares] + at);
    Read(mean, from[kMeans] + at);
  }
};

/// Merges sets as Chan, Golub and LeVeque do.
template <typename Value>
void MergeAt(MethodRows from_a, MethodRows from_b, MethodRows to, std::size_t at) {
  const Sets<Value> a(from_a, at);
  const Sets<Value> b(from_b, at);
  const Value difference = b.mean - a.mean;
  const Value number = a.number + b.number;
  const Value squares = difference * difference * (a.number * b.number / number);
  Write<Value>(to[kNumbers] + at, number);
  Write<Value>(to[kSquares] + at, a.squares + b.squares + squares);
  Write<Value>(to[kMeans] + at, a.mean + difference * (b.number / number));
}

void MergeMoments(MethodRows a, MethodRows b, MethodRows to, std::size_t count) {
  std::size_t at = 0;
  for (; at + 8 <= count; at += 8) MergeAt<VectorOf<double, 8>::Type>(a, b, to, at);
  for (; at < count; ++at) MergeAt<double>(a, b, to, at);
}

/// Takes rows of `count` vectors of `lanes` neighbours, which stay in registers.
template <typename From, std::size_t lanes, std::size_t count>
void FoldMomentVectors(MethodRows to, const From* from, const FoldShape& shape) {
  using Vector = typename VectorOf<double, lanes>::Type;
  Vector squares[count] = {};
  Vector mean[count];
  double number = 1;
  const std::ptrdiff_t ahead = AheadOf(shape);
  for (std::size_t at = 0; at < count; ++at) {
    if (shape.adds) {
      Read(squares[at], to[kSquares] + at * lanes);
      Read(mean[at], to[kMeans] + at * lanes);
    } else {
      AskFor(from + at * lanes, ahead);
      ReadConverted(mean[at], from + at * lanes);
    }
  }
  if (shape.adds) number = *to[kNumbers];
  const From* next = shape.adds ? from : from + shape.row_step;
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
    Write<Vector>(to[kNumbers] + at * lanes, Vector{} + number);
    Write<Vector>(to[kSquares] + at * lanes, squares[at]);
    Write<Vector>(to[kMeans] + at * lanes, mean[at]);
  }
}

template <typename From>
void FoldMoments(MethodRows to, const void* from, const FoldShape& shape) {
  for (std::size_t group = 0; group < shape.groups; ++group) {
    const std::size_t start = group * shape.to_step;
    const From* const rows = static_cast<const From*>(from) + group * shape.from_step;
    std::size_t lane = 0;
    const auto fold = [&](auto loop, std::size_t lanes) {
      for (; lane + lanes <= shape.width; lane += lanes) {
        const std::size_t at = start + lane;
        double* const own[] = {to[kNumbers] + at, to[kSquares] + at, to[kMeans] + at};
        loop(own, rows + lane, shape);
      }
    };
    fold(FoldMomentVectors<From, 8, 4>, 32);
    fold(FoldMomentVectors<From, 8, 1>, 8);
    fold(FoldMomentVectors<From, 1, 1>, 1);
  }
}

MethodLoops MomentLoopsOf(ValueType from) {
  if (from == ValueType::kFloat32) return {FoldMoments<float>, MergeMoments};
  return {FoldMoments<double>, MergeMoments};
}

}  // namespace
}  // namespace array_interface
