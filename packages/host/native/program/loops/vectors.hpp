// Vectors of neighbours, by the compiler's own types. Compiled as operations.hpp says.
#pragma once

#include "program/instruction.hpp"
#include "program/loops/operations.hpp"

namespace array_interface {
namespace {

/// The vector of some neighbours.
template <typename T, std::size_t lanes>
struct VectorOf {
  typedef T Type __attribute__((vector_size(lanes * sizeof(T))));
};

/// Reads a vector from where its elements are.
template <typename Vector>
void Read(Vector& to, const void* from) {
  __builtin_memcpy(&to, from, sizeof to);
}

constexpr std::ptrdiff_t kAhead = 8192;

/// Rows that follow one another which a core sees and reads ahead by itself. To ask for them, too,
/// takes longer: a maximum of float64 took 11 instead of 8.5 ms on an AMD EPYC (Zen 4).
constexpr std::size_t kManyRows = 128;

/// How far ahead elements of so many rows that follow one another are asked for. 0 asks only for
/// what is read anyway.
std::ptrdiff_t AheadOf(std::size_t rows) { return rows < kManyRows ? kAhead : 0; }

/// How far ahead elements are asked for, since one core waits for memory otherwise: behind all rows
/// that follow one another, or a bit further in the same row.
std::ptrdiff_t AheadOf(const FoldShape& shape) {
  if (shape.ahead != 0) return shape.ahead;
  if (shape.row_step != static_cast<std::ptrdiff_t>(shape.width)) return 1024;
  const std::size_t group = shape.rows * shape.width;
  return AheadOf(shape.from_step == group ? shape.rows * shape.groups : shape.rows);
}

template <typename T>
void AskFor(const T* at, std::ptrdiff_t ahead) {
  __builtin_prefetch(reinterpret_cast<const char*>(at) + ahead, 0, 2);
}

/// Reads a vector of other numbers, and converts them. Integers wrap around.
template <typename From, typename Vector>
void ReadConverted(Vector& to, const From* from) {
  typename VectorOf<From, sizeof(Vector) / sizeof(to[0])>::Type values;
  Read(values, from);
  to = __builtin_convertvector(values, Vector);
}

/// Whether a lane of a vector of tests holds.
template <typename Found>
bool HasAny(const Found& found) {
  using Words = typename VectorOf<std::uint64_t, sizeof(Found) / 8>::Type;
  const auto words = reinterpret_cast<Words>(found);
  std::uint64_t any = 0;
  for (std::size_t word = 0; word < sizeof(Found) / 8; ++word) any |= words[word];
  return any != 0;
}

}  // namespace
}  // namespace array_interface
