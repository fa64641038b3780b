// The loops of `argmin` and `argmax`. Compiled as operations.hpp says.
#pragma once

#include "program/instruction.hpp"
#include "program/loops/folds.hpp"
#include "program/loops/operations.hpp"
#include "program/loops/vectors.hpp"

namespace array_interface {
namespace {

template <typename Operation>
constexpr bool kIsLeast = IsSameType<Operation, Minimum>;

/// Whether `a` is in place of `b`, of which neither is NaN.
template <typename Operation, typename T>
bool IsBetter(T a, T b) {
  return kIsLeast<Operation> ? a < b : b < a;
}

template <typename T>
bool IsNaN(T value) {
  return value != value;  // NOLINT(misc-redundant-expression): a NaN is not
}

/// The best of some values, or a NaN if there is one. Their number is a power of two.
template <typename Operation, std::size_t count, typename T>
T BestOfFew(const T* values) {
  if constexpr (count == 1) {
    return *values;
  } else {
    using Vector = typename VectorOf<T, count / 2>::Type;
    Vector own;
    Vector next;
    Read(own, values);
    Read(next, values + count / 2);
    Update<Operation, T>(own, next);
    T half[count / 2];
    __builtin_memcpy(half, &own, sizeof half);
    return BestOfFew<Operation, count / 2>(half);
  }
}

/// The same of any number of values.
template <typename Operation, typename T>
T BestOf(const T* values, std::size_t count) {
  constexpr std::size_t lanes = 64 / sizeof(T);
  constexpr std::size_t vectors = 4;
  if (count < lanes) {
    T best = values[0];
    for (std::size_t at = 1; at < count; ++at) best = Operation::template Of<T>(best, values[at]);
    return best;
  }
  using Vector = typename VectorOf<T, lanes>::Type;
  const std::ptrdiff_t ahead = AheadOf(count / lanes);
  Vector own[vectors];
  Vector next;
  for (Vector& one : own) Read(one, values);
  std::size_t at = 0;
  for (; at + vectors * lanes <= count; at += vectors * lanes) {
    for (std::size_t part = 0; part < vectors; ++part) {
      AskFor(values + at + part * lanes, ahead);
      Read(next, values + at + part * lanes);
      Update<Operation, T>(own[part], next);
    }
  }
  for (; at + lanes <= count; at += lanes) {
    AskFor(values + at, ahead);
    Read(next, values + at);
    Update<Operation, T>(own[0], next);
  }
  AskFor(values + count - 1, ahead);
  Read(next, values + count - lanes);  // of which some may be compared twice
  Update<Operation, T>(own[0], next);
  for (std::size_t part = 1; part < vectors; ++part) Update<Operation, T>(own[0], own[part]);
  T all[lanes];
  __builtin_memcpy(all, own, sizeof all);
  return BestOfFew<Operation, lanes>(all);
}

/// The lane of the first test that holds. There is one.
template <typename T, typename Found>
std::size_t FirstLane(const Found& found) {
  using Words = typename VectorOf<std::uint64_t, sizeof(Found) / 8>::Type;
  const auto words = reinterpret_cast<Words>(found);
  std::size_t word = 0;
  while (words[word] == 0) ++word;
  const auto bit = static_cast<std::size_t>(__builtin_ctzll(words[word]));
  return word * 8 / sizeof(T) + bit / (8 * sizeof(T));
}

/// The index of the first value that is another one, or NaN. There is one.
template <bool is_nan, typename T>
std::size_t FirstOf(const T* values, std::size_t count, T value) {
  constexpr std::size_t lanes = 64 / sizeof(T);
  constexpr std::size_t vectors = 8;
  using Vector = typename VectorOf<T, lanes>::Type;
  const auto is_it = [&](T one) { return is_nan ? IsNaN(one) : one == value; };
  auto hits = Vector{} < Vector{};
  const auto match = [&](std::size_t start) {
    Vector next;
    Read(next, values + start);
    // NOLINTNEXTLINE(misc-redundant-expression)
    hits |= is_nan ? next != next : next == Vector{} + value;
  };
  std::size_t at = 0;
  for (; at + vectors * lanes <= count; at += vectors * lanes) {
    for (std::size_t part = 0; part < vectors; ++part) match(at + part * lanes);
    if (HasAny(hits)) break;
  }
  hits = Vector{} < Vector{};
  for (; at + lanes <= count; at += lanes) {
    match(at);
    if (HasAny(hits)) return at + FirstLane<T>(hits);
  }
  while (at < count && !is_it(values[at])) ++at;
  return at < count ? at : count - 1;  // it is gone: another thread has written there
}

/// The index of the first value that is the best, which is NaN if there is one.
template <typename T>
std::size_t FirstOfBest(const T* values, std::size_t count, T best, bool has_nan) {
  if constexpr (kIsFloat<T>) {
    return has_nan ? FirstOf<true>(values, count, best) : FirstOf<false>(values, count, best);
  } else {
    const void* const bits = values;
    return FirstOf<false>(static_cast<const BitsOf<T>*>(bits), count, static_cast<BitsOf<T>>(best));
  }
}

template <typename Operation, typename T>
void FindAlong(const void* from, std::size_t count, void* to, std::int64_t* place,
               std::int64_t first) {
  const auto* const values = static_cast<const T*>(from);
  T& best = *static_cast<T*>(to);
  if (first > 0 && IsNaN(best)) return;
  const T value = BestOf<Operation>(values, count);
  const bool has_nan = IsNaN(value);
  if (!has_nan && first > 0 && !IsBetter<Operation>(value, best)) return;
  best = has_nan ? static_cast<T>(NotANumber<double>()) : value;
  *place = first + static_cast<std::int64_t>(FirstOfBest(values, count, best, has_nan));
}

/// Columns whose best is found at once, and rows of them, whose numbers fit each type.
constexpr std::size_t kColumns = 256;
constexpr std::size_t kRowsOfColumns = 64;

/// Takes those neighbours of `next` that are not the best until now, or all, and finds them in
/// rows, of which the first is at the place `first`.
template <typename T, std::size_t lanes>
void TakeOthers(const T* next, const T* rows, const FoldShape& shape, T* best, std::int64_t* places,
                std::int64_t first) {
  using Vector = typename VectorOf<T, lanes>::Type;
  Vector value;
  Vector own;
  Read(value, next);
  Read(own, best);
  // NOLINTBEGIN(misc-redundant-expression): a NaN is another one
  const auto is_other = (value != own) & (own == own);
  if (shape.adds && !HasAny(is_other)) return;
  auto left = is_other ^ is_other;  // rows from the one that is looked at
  auto from_it = left + 1;          // the last one, if another thread has written over the value
  for (std::size_t row = shape.rows; row-- > 0;) {
    Vector element;
    Read(element, rows + static_cast<std::ptrdiff_t>(row) * shape.row_step);
    const auto is_it = (element == value) | (element != element);
    left += 1;
    from_it = (is_it & left) | (~is_it & from_it);
  }
  // NOLINTEND(misc-redundant-expression)
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if (shape.adds && is_other[lane] == 0) continue;
    best[lane] = next[lane];
    places[lane] = first + static_cast<std::int64_t>(shape.rows) - from_it[lane];
  }
}

/// The same of one column.
template <typename T>
void TakeOther(T next, const T* rows, const FoldShape& shape, T& best, std::int64_t& place,
               std::int64_t first) {
  if (shape.adds && (next == best || IsNaN(best))) return;
  // Or the last one, if another thread has written over the value.
  const auto last = static_cast<std::ptrdiff_t>(shape.rows) - 1;
  std::ptrdiff_t row = 0;
  while (row < last && *rows != next && !IsNaN(*rows)) ++row, rows += shape.row_step;
  best = next;
  place = first + row;
}

/// Finds the best of columns, as a fold of values that have the bits of `T` combines them.
template <typename T>
void FindInColumns(FoldLoop fold, const void* from, const FoldShape& shape, void* to,
                   std::int64_t* places, std::int64_t first) {
  T next[kColumns];
  for (std::size_t row = 0; row < shape.rows; row += kRowsOfColumns) {
    FoldShape part = shape;
    part.adds = shape.adds || row > 0;
    part.rows = shape.rows - row < kRowsOfColumns ? shape.rows - row : kRowsOfColumns;
    const auto before = static_cast<std::ptrdiff_t>(row) * shape.row_step;
    for (std::size_t column = 0; column < shape.width; column += kColumns) {
      const T* const rows = static_cast<const T*>(from) + before + column;
      T* const best = static_cast<T*>(to) + column;
      part.width = shape.width - column < kColumns ? shape.width - column : kColumns;
      if (part.adds) __builtin_memcpy(next, best, part.width * sizeof(T));
      fold(next, rows, part);
      InVectors<32>(part.width, part.adds, [&](std::size_t at, auto columns) {
        constexpr std::size_t count = decltype(columns)::kCount;
        constexpr std::size_t most = sizeof(T) == 1 ? 32 : 8;
        constexpr std::size_t lanes = count < most ? count : most;
        const std::int64_t place = first + static_cast<std::int64_t>(row);
        for (std::size_t own = at; own < at + count; own += lanes) {
          std::int64_t* const its = places + column + own;
          if constexpr (lanes == 1) {
            TakeOther<T>(next[own], rows + own, part, best[own], *its, place);
          } else {
            TakeOthers<T, lanes>(next + own, rows + own, part, best + own, its, place);
          }
        }
      });
    }
  }
}

template <typename Operation, typename T>
void FindAcross(const void* from, const FoldShape& shape, void* best, std::int64_t* places,
                std::int64_t first) {
  if constexpr (kIsFloat<T>) {
    FindInColumns<T>(Fold<Operation, T>, from, shape, best, places, first);
  } else {
    FindInColumns<BitsOf<T>>(Fold<Operation, T>, from, shape, best, places, first);
  }
}

/// Finds the first of some bytes that is 0, or the first that is not: of bools in any byte.
template <typename Operation>
void FindTruthAlong(const void* from, std::size_t count, void* to, std::int64_t* place,
                    std::int64_t first) {
  using Vector = typename VectorOf<std::uint8_t, 64>::Type;
  const auto* const bytes = static_cast<const std::uint8_t*>(from);
  auto& best = *static_cast<std::uint8_t*>(to);
  constexpr std::uint8_t wanted = kIsLeast<Operation> ? 0 : 1;
  if (first > 0 && best == wanted) return;
  if (first == 0) *place = 0;
  best = 1 - wanted;
  std::size_t at = 0;
  constexpr std::size_t line = 64;
  constexpr std::size_t lines = 64 * line;
  const std::ptrdiff_t ahead = AheadOf(count / line);
  const auto has_one = [&](std::size_t length) {
    // The least of all, or all bits.
    Vector all = kIsLeast<Operation> ? ~Vector{} : Vector{};
    for (std::size_t part = at; part < at + length; part += line) {
      Vector next;
      AskFor(bytes + part, ahead);
      Read(next, bytes + part);
      if constexpr (kIsLeast<Operation>) {
        all = next < all ? next : all;
      } else {
        all |= next;
      }
    }
    // Which takes longer than what is above.
    return HasAny(kIsLeast<Operation> ? all == Vector{} : all != Vector{});
  };
  while (at + lines <= count && !has_one(lines)) at += lines;
  while (at + line <= count && !has_one(line)) at += line;
  while (at < count && (bytes[at] == 0) != kIsLeast<Operation>) ++at;
  if (at == count) return;
  *place = first + static_cast<std::int64_t>(at);
  best = wanted;
}

/// Compares a row of such bytes with the best until now, or takes all.
template <typename Operation>
void CompareTruths(const std::uint8_t* __restrict bytes, std::size_t count, bool takes_all,
                   std::uint8_t* __restrict best, std::int64_t* places, std::int64_t place) {
  for (std::size_t index = 0; index < count; ++index) {
    const std::uint8_t next = bytes[index] != 0;
    const std::uint8_t own = best[index] != 0;
    const bool is_next = IsBetter<Operation>(next, own) || takes_all;
    best[index] = is_next ? next : own;
    places[index] = is_next ? place : places[index];
  }
}

template <typename Operation>
void FindTruthAcross(const void* from, const FoldShape& shape, void* to, std::int64_t* places,
                     std::int64_t first) {
  const auto* bytes = static_cast<const std::uint8_t*>(from);
  auto* const best = static_cast<std::uint8_t*>(to);
  for (std::size_t row = 0; row < shape.rows; ++row, bytes += shape.row_step) {
    const bool takes_all = !shape.adds && row == 0;
    CompareTruths<Operation>(bytes, shape.width, takes_all, best, places,
                             first + static_cast<std::int64_t>(row));
  }
}

template <typename T>
PlaceLoops PlaceLoopsFor(bool is_least) {
  if (is_least) return {FindAlong<Minimum, T>, FindAcross<Minimum, T>};
  return {FindAlong<Maximum, T>, FindAcross<Maximum, T>};
}

PlaceLoops PlaceLoopsOf(ValueType type, bool is_least) {
  switch (type) {
    case ValueType::kBool:
      if (is_least) return {FindTruthAlong<Minimum>, FindTruthAcross<Minimum>};
      return {FindTruthAlong<Maximum>, FindTruthAcross<Maximum>};
    case ValueType::kInt8:
      return PlaceLoopsFor<std::int8_t>(is_least);
    case ValueType::kInt16:
      return PlaceLoopsFor<std::int16_t>(is_least);
    case ValueType::kInt32:
      return PlaceLoopsFor<std::int32_t>(is_least);
    case ValueType::kInt64:
      return PlaceLoopsFor<std::int64_t>(is_least);
    case ValueType::kUint16:
      return PlaceLoopsFor<std::uint16_t>(is_least);
    case ValueType::kUint32:
      return PlaceLoopsFor<std::uint32_t>(is_least);
    case ValueType::kUint64:
      return PlaceLoopsFor<std::uint64_t>(is_least);
    case ValueType::kFloat32:
      return PlaceLoopsFor<float>(is_least);
    case ValueType::kFloat64:
      return PlaceLoopsFor<double>(is_least);
    default:
      return PlaceLoopsFor<std::uint8_t>(is_least);
  }
}

}  // namespace
}  // namespace array_interface
