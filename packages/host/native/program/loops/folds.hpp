// The loops of reductions that combine rows. Compiled as operations.hpp says.
#pragma once

#include "program/instruction.hpp"
#include "program/loops/operations.hpp"
#include "program/loops/vectors.hpp"

namespace array_interface {
namespace {

template <typename Operation>
constexpr bool kIsExtreme = IsSameType<Operation, Minimum> || IsSameType<Operation, Maximum>;
template <typename Operation>
constexpr bool kIsArithmetic = IsSameType<Operation, Add> || IsSameType<Operation, Multiply>;
/// Whether it changes nothing to take a value twice.
template <typename Operation>
constexpr bool kIsIdempotent = !kIsArithmetic<Operation> && !IsSameType<Operation, Xor>;

/// The least of two floats: -0 is less than 0, and a NaN less than any number. Any two that are
/// equal have the same bits.
template <typename Bits, typename Vector>
void TakeLeast(Vector& own, const Vector& next) {
#if defined(__AVX512F__)
  // One instruction each. In vectors of other lengths, GCC would compare one number after another.
  const Vector a = own < next ? own : next;
  const Vector b = next < own ? next : own;
#else
  const auto is_own = own < next;
  const auto is_next = next < own;
  const Vector a = is_own ? own : next;
  const Vector b = is_next ? next : own;
#endif
  own = reinterpret_cast<Vector>(reinterpret_cast<Bits>(a) | reinterpret_cast<Bits>(b));
}

/// An operation of vectors, whose elements have the type `T`.
template <typename Operation, typename T, typename Vector>
void Update(Vector& own, const Vector& next) {
  if constexpr (kIsExtreme<Operation> && kIsFloat<T>) {
    using Bits = typename VectorOf<BitsOf<T>, sizeof(Vector) / sizeof(T)>::Type;
    if constexpr (IsSameType<Operation, Maximum>) {
      own = -own;
      TakeLeast<Bits, Vector>(own, -next);
      own = -own;
    } else {
      TakeLeast<Bits>(own, next);
    }
  } else if constexpr (IsSameType<Operation, Minimum>) {
    own = next < own ? next : own;  // one instruction
  } else if constexpr (IsSameType<Operation, Maximum>) {
    own = own < next ? next : own;
  } else if constexpr (IsSameType<Operation, Add>) {
    own += next;
  } else if constexpr (IsSameType<Operation, Multiply>) {
    own *= next;
  } else if constexpr (IsSameType<Operation, And>) {
    own &= next;
  } else if constexpr (IsSameType<Operation, Or>) {
    own |= next;
  } else {
    own ^= next;
  }
}

/// Combines rows of `count` vectors of `lanes` neighbours, which stay in registers.
template <typename Operation, typename T, typename From, std::size_t lanes, std::size_t count>
void FoldVectors(T* to, const From* from, const FoldShape& shape) {
  using Vector = typename VectorOf<T, lanes>::Type;
  Vector own[count];
  const std::ptrdiff_t ahead = AheadOf(shape);
  for (std::size_t at = 0; at < count; ++at) {
    if (shape.adds) {
      Read(own[at], to + at * lanes);
    } else {
      AskFor(from + at * lanes, ahead);
      ReadConverted(own[at], from + at * lanes);
    }
  }
  const From* next = shape.adds ? from : from + shape.row_step;
  for (std::size_t row = shape.adds ? 0 : 1; row < shape.rows; ++row, next += shape.row_step) {
    for (std::size_t at = 0; at < count; ++at) {
      Vector values;
      AskFor(next + at * lanes, ahead);
      ReadConverted(values, next + at * lanes);
      Update<Operation, T>(own[at], values);
    }
  }
  for (std::size_t at = 0; at < count; ++at) {
    __builtin_memcpy(to + at * lanes, &own[at], sizeof(Vector));
  }
}

template <typename Operation, typename T, typename From>
void FoldNumbers(T* to, const From* from, const FoldShape& shape) {
  T own = shape.adds ? *to : static_cast<T>(*from);
  const From* next = shape.adds ? from : from + shape.row_step;
  for (std::size_t row = shape.adds ? 0 : 1; row < shape.rows; ++row, next += shape.row_step) {
    own = Operation::template Of<T>(own, static_cast<T>(*next));
  }
  *to = own;
}

template <std::size_t count>
struct Columns {
  static constexpr std::size_t kCount = count;
};

/// The column behind some that were combined. If more than `fewest` are left, but less than
/// `count`, and others may be combined again, so many are that end with the row.
std::size_t Behind(std::size_t column, std::size_t count, std::size_t fewest, std::size_t width,
                   bool may_repeat) {
  const std::size_t left = width - column;
  const bool repeats = may_repeat && width >= count && left > fewest && left < count;
  return repeats ? width - count : column;
}

/// Calls `combine(column, columns)` for the columns of a row: many at once, then fewer. The last
/// ones may have some again if that changes none.
template <std::size_t most, typename Combine>
void InVectors(std::size_t width, bool may_repeat, const Combine& combine) {
  std::size_t column = 0;
  if constexpr (most > 32) {
    for (; column + most <= width; column += most) combine(column, Columns<most>{});
  }
  for (; column + 32 <= width; column = Behind(column + 32, 32, 8, width, may_repeat)) {
    combine(column, Columns<32>{});
  }
  column = Behind(column, 8, 0, width, may_repeat);
  for (; column + 8 <= width; column = Behind(column + 8, 8, 0, width, may_repeat)) {
    combine(column, Columns<8>{});
  }
  for (; column < width; ++column) combine(column, Columns<1>{});
}

/// Combines rows of eight neighbours by way of lanes, which stay in registers if there are enough.
template <typename Operation, typename T, typename From, std::size_t lanes>
void FoldEight(T* to, const From* from, const FoldShape& shape) {
  using Vector = typename VectorOf<T, 8>::Type;
  Vector own[lanes];
  for (std::size_t lane = 0; lane < lanes; ++lane, from += shape.row_step) {
    AskFor(from, shape.ahead);
    ReadConverted(own[lane], from);
  }
  for (std::size_t lane = 0; lane < lanes; ++lane, from += shape.row_step) {
    if (lanes + lane >= shape.rows) continue;  // each index is known
    Vector next;
    AskFor(from, shape.ahead);
    ReadConverted(next, from);
    Update<Operation, T>(own[lane], next);
  }
  for (std::size_t half = lanes / 2; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane)
      Update<Operation, T>(own[lane], own[lane + half]);
  }
  __builtin_memcpy(to, &own[0], sizeof(Vector));
}

template <typename Operation, typename T, typename From, std::size_t lanes>
void FoldLanes(void* to, const void* from, const FoldShape& shape) {
  std::size_t column = 0;
  for (; column + 8 <= shape.width; column = Behind(column + 8, 8, 0, shape.width, true)) {
    FoldEight<Operation, T, From, lanes>(static_cast<T*>(to) + column,
                                         static_cast<const From*>(from) + column, shape);
  }
}

/// Combines the rows of a group as a tree does, whose lanes have one of them or two.
template <typename Operation, typename T, typename From = T>
void FoldFew(void* to, const void* from, const FoldShape& shape) {
  if (shape.rows < 4) return FoldLanes<Operation, T, From, 2>(to, from, shape);
  if (shape.rows < 8) return FoldLanes<Operation, T, From, 4>(to, from, shape);
  if (shape.rows < 16) return FoldLanes<Operation, T, From, 8>(to, from, shape);
  FoldLanes<Operation, T, From, 16>(to, from, shape);
}

template <typename Operation, typename T, typename From = T>
void Fold(void* to, const void* from, const FoldShape& shape) {
  constexpr std::size_t line = 64 / sizeof(T);
  // Sums and products of narrow types are rare: they widen.
  constexpr std::size_t most = kIsExtreme<Operation> ? 4 * line : 32;
  for (std::size_t group = 0; group < shape.groups; ++group) {
    T* const result = static_cast<T*>(to) + group * shape.to_step;
    const From* const rows = static_cast<const From*>(from) + group * shape.from_step;
    const bool is_apart = !shape.adds && static_cast<const void*>(result) != rows;
    const auto combine = [&](std::size_t column, auto columns) {
      constexpr std::size_t count = decltype(columns)::kCount;
      constexpr std::size_t lanes = count < line ? count : line;
      if constexpr (count == 1) {
        FoldNumbers<Operation, T, From>(result + column, rows + column, shape);
      } else {
        FoldVectors<Operation, T, From, lanes, count / lanes>(result + column, rows + column,
                                                              shape);
      }
    };
    InVectors<most>(shape.width, kIsIdempotent<Operation> || is_apart, combine);
  }
}

template <typename Operation, typename T>
void Scan(void* to, const void* first, const void* elements, std::size_t count) {
  auto* const __restrict result = static_cast<T*>(to);
  const auto* const from = static_cast<const T*>(elements);
  T own = *static_cast<const T*>(first);
  for (std::size_t index = 0; index < count; ++index) {
    own = Operation::template Of<T>(own, from[index]);
    result[index] = own;
  }
}

/// Reads the lanes of a group halved to eight: in order if they are at most 32.
template <typename Operation, typename T, typename Vector>
void ReadHalved(Vector& own, const T* from, std::size_t lanes) {
  Vector next;
  Read(own, from);
  if (lanes == 32) {
    Read(next, from + 16);
    Update<Operation, T>(own, next);
    Vector second;
    Read(second, from + 8);
    Read(next, from + 24);
    Update<Operation, T>(second, next);
    Update<Operation, T>(own, second);
    return;
  }
  for (std::size_t at = 8; at < lanes; at += 8) {
    Read(next, from + at);
    Update<Operation, T>(own, next);
  }
}

template <typename Operation, typename T>
void Halve(void* values, std::size_t groups, std::size_t lanes) {
  using Vector = typename VectorOf<T, 8>::Type;
  T* const all = static_cast<T*>(values);
  for (std::size_t group = 0; group < groups; group += 8) {
    const std::size_t count = groups - group < 8 ? groups - group : 8;
    Vector own[8];
    for (std::size_t at = 0; at < 8; ++at) {
      const std::size_t its = group + (at < count ? at : 0);
      ReadHalved<Operation, T>(own[at], all + its * lanes, lanes);
    }
    // Each vector has the halves of two groups, then of four, then of all.
    for (std::size_t at = 0; at < 4; ++at) {
      const Vector& a = own[2 * at];
      const Vector& b = own[2 * at + 1];
      const Vector next = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
      own[at] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
      Update<Operation, T>(own[at], next);
    }
    for (std::size_t at = 0; at < 2; ++at) {
      const Vector& a = own[2 * at];
      const Vector& b = own[2 * at + 1];
      const Vector next = __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
      own[at] = __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13);
      Update<Operation, T>(own[at], next);
    }
    const Vector next = __builtin_shufflevector(own[0], own[1], 1, 3, 5, 7, 9, 11, 13, 15);
    Vector result = __builtin_shufflevector(own[0], own[1], 0, 2, 4, 6, 8, 10, 12, 14);
    Update<Operation, T>(result, next);
    if (count == 8) {
      __builtin_memcpy(all + group, &result, sizeof result);
    } else {
      __builtin_memcpy(all + group, &result, count * sizeof(T));
    }
  }
}

/// The folds of an operation. Sums and products of floats have an order.
template <typename Operation, typename T, typename From = T>
ElementFolds FoldsOf() {
  if constexpr (kIsFloat<T> && kIsArithmetic<Operation>) {
    return {Fold<Operation, T, From>, FoldFew<Operation, T, From>};
  } else {
    return {Fold<Operation, T, From>, nullptr};
  }
}

/// Signed integers wrap around as unsigned ones do, unless they are compared.
template <typename Operation, typename T>
RunningLoops LoopsOf() {
  if constexpr (kIsSigned<T> && !kIsFloat<T> && !kIsExtreme<Operation>) {
    return LoopsOf<Operation, BitsOf<T>>();
  } else {
    return {FoldsOf<Operation, T>(), Halve<Operation, T>, Scan<Operation, T>};
  }
}

template <typename Operation>
RunningLoops RunningOf(ValueType type) {
  switch (type) {
    case ValueType::kInt8:
      return LoopsOf<Operation, std::int8_t>();
    case ValueType::kInt16:
      return LoopsOf<Operation, std::int16_t>();
    case ValueType::kInt32:
      return LoopsOf<Operation, std::int32_t>();
    case ValueType::kInt64:
      return LoopsOf<Operation, std::int64_t>();
    case ValueType::kBool:
    case ValueType::kUint8:
      return LoopsOf<Operation, std::uint8_t>();
    case ValueType::kUint16:
      return LoopsOf<Operation, std::uint16_t>();
    case ValueType::kUint32:
      return LoopsOf<Operation, std::uint32_t>();
    case ValueType::kUint64:
      return LoopsOf<Operation, std::uint64_t>();
    default:
      return {};
  }
}

template <typename Operation>
RunningLoops RunningNumbers(ValueType type) {
  if (type == ValueType::kFloat32) return LoopsOf<Operation, float>();
  if (type == ValueType::kFloat64) return LoopsOf<Operation, double>();
  return RunningOf<Operation>(type);
}

/// Bits of which all are 0 if a number is 0. A float has one more bit, the sign.
template <typename From, typename Bits>
void DropSign(Bits& bits) {
  if constexpr (kIsFloat<From>) bits <<= 1;
}

/// Combines whether numbers are not 0: of rows of `count` vectors of `lanes` neighbours. One is not
/// if all bits of all, put together, are not; all are not if the least one is not.
template <bool is_any, typename From, std::size_t lanes, std::size_t count>
void FoldTruthVectors(std::uint8_t* to, const From* from, const FoldShape& shape) {
  using Bits = typename VectorOf<BitsOf<From>, lanes>::Type;
  using Bytes = typename VectorOf<std::int8_t, lanes>::Type;
  Bits own[count];
  for (Bits& one : own) one = is_any ? Bits{} : ~Bits{};
  const std::ptrdiff_t ahead = AheadOf(shape);
  for (std::size_t row = 0; row < shape.rows; ++row, from += shape.row_step) {
    for (std::size_t at = 0; at < count; ++at) {
      Bits values;
      AskFor(from + at * lanes, ahead);
      Read(values, from + at * lanes);
      DropSign<From>(values);
      own[at] = is_any ? own[at] | values : (values < own[at] ? values : own[at]);
    }
  }
  for (std::size_t at = 0; at < count; ++at) {
    Bytes result = __builtin_convertvector(own[at] != Bits{}, Bytes) & 1;
    Bytes before;
    if (shape.adds) {
      Read(before, to + at * lanes);
      result = is_any ? result | before : result & before;
    }
    __builtin_memcpy(to + at * lanes, &result, sizeof result);
  }
}

/// Counts numbers that are not 0: in rows of `count` vectors of `lanes` neighbours.
template <typename From, std::size_t lanes, std::size_t count>
void FoldCountVectors(std::int64_t* to, const From* from, const FoldShape& shape) {
  using Vector = typename VectorOf<From, lanes>::Type;
  using Found = decltype(Vector{} == Vector{});
  using Counts = typename VectorOf<std::int64_t, lanes>::Type;
  constexpr std::size_t kMost = 128;  // of -1, which a byte holds
  const std::ptrdiff_t ahead = AheadOf(shape);
  Counts own[count] = {};
  for (std::size_t row = 0; row < shape.rows;) {
    Found found[count] = {};  // each one is -1
    const std::size_t end = row + (shape.rows - row < kMost ? shape.rows - row : kMost);
    for (; row < end; ++row, from += shape.row_step) {
      for (std::size_t at = 0; at < count; ++at) {
        Vector values;
        AskFor(from + at * lanes, ahead);
        Read(values, from + at * lanes);
        found[at] += values != Vector{};
      }
    }
    for (std::size_t at = 0; at < count; ++at)
      own[at] -= __builtin_convertvector(found[at], Counts);
  }
  for (std::size_t at = 0; at < count; ++at) {
    if (shape.adds) {
      Counts before;
      Read(before, to + at * lanes);
      own[at] += before;
    }
    __builtin_memcpy(to + at * lanes, &own[at], sizeof own[at]);
  }
}

/// What a fold of tests makes: bools of which one or all hold, or a count.
enum class Tests { kAny, kAll, kCount };

template <Tests tests, std::size_t lanes, std::size_t count, typename To, typename From>
void FoldTestVectors(To* to, const From* from, const FoldShape& shape) {
  if constexpr (tests == Tests::kCount) {
    FoldCountVectors<From, lanes, count>(to, from, shape);
  } else {
    FoldTruthVectors<tests == Tests::kAny, From, lanes, count>(to, from, shape);
  }
}

template <Tests tests, typename To, typename From>
void FoldTests(void* to, const void* from, const FoldShape& shape) {
  constexpr std::size_t line = 64 / sizeof(From);
  for (std::size_t group = 0; group < shape.groups; ++group) {
    To* const result = static_cast<To*>(to) + group * shape.to_step;
    const From* const rows = static_cast<const From*>(from) + group * shape.from_step;
    const auto combine = [&](std::size_t column, auto columns) {
      constexpr std::size_t count = decltype(columns)::kCount;
      constexpr std::size_t lanes = count < line ? count : line;
      FoldTestVectors<tests, lanes, count / lanes>(result + column, rows + column, shape);
    };
    InVectors<4 * line>(shape.width, tests != Tests::kCount || !shape.adds, combine);
  }
}

template <Tests tests, typename To>
FoldLoop TestFoldOf(ValueType from) {
  if (from == ValueType::kFloat64) return FoldTests<tests, To, double>;
  if (from == ValueType::kFloat32) return FoldTests<tests, To, float>;
  switch (SizeOf(from)) {
    case 1:
      return FoldTests<tests, To, std::uint8_t>;
    case 2:
      return FoldTests<tests, To, std::uint16_t>;
    case 4:
      return FoldTests<tests, To, std::uint32_t>;
    default:
      return FoldTests<tests, To, std::uint64_t>;
  }
}

/// Returns the loop that folds whether values are not 0, as bools or converted to integers. Null if
/// there is none.
FoldLoop TestFoldOf(Operation operation, ValueType type, ValueType from) {
  const bool is_bool = type == ValueType::kBool;
  if (is_bool && operation == Operation::kOr) return TestFoldOf<Tests::kAny, std::uint8_t>(from);
  if (is_bool && operation == Operation::kAnd) return TestFoldOf<Tests::kAll, std::uint8_t>(from);
  const bool is_count = type == ValueType::kInt64 && operation == Operation::kAdd;
  return is_count ? TestFoldOf<Tests::kCount, std::int64_t>(from) : nullptr;
}

/// Returns the loops that fold values of the type `from`, converted to another. There are none for
/// sums of narrow integers, which are converted faster by a loop of their own.
ElementFolds ConvertingFoldOf(Operation operation, ValueType type, ValueType from) {
  const bool is_float = type == ValueType::kFloat64;
  if (is_float && operation == Operation::kMultiply && from == ValueType::kFloat32)
    return FoldsOf<Multiply, double, float>();
  const bool is_long = SizeOf(type) == 8 && !is_float;
  if (is_long && operation == Operation::kMultiply) {
    if (from == ValueType::kInt16) return FoldsOf<Multiply, std::uint64_t, std::int16_t>();
    if (from == ValueType::kInt32) return FoldsOf<Multiply, std::uint64_t, std::int32_t>();
  }
  if (operation != Operation::kAdd) return {};
  if (is_float && from == ValueType::kFloat32) return FoldsOf<Add, double, float>();
  if (is_float && from == ValueType::kInt32) return FoldsOf<Add, double, std::int32_t>();
  if (is_float && from == ValueType::kUint32) return FoldsOf<Add, double, std::uint32_t>();
  if (SizeOf(type) != 8 || is_float) return {};
  if (from == ValueType::kInt32) return FoldsOf<Add, std::uint64_t, std::int32_t>();
  if (from == ValueType::kUint32) return FoldsOf<Add, std::uint64_t, std::uint32_t>();
  return {};
}

/// Returns the loops that combine many values of a type by an operation. Null if there are none.
RunningLoops RunningLoopsOf(Operation operation, ValueType type) {
  switch (operation) {
    case Operation::kAdd:
      return RunningNumbers<Add>(type);
    case Operation::kMultiply:
      return RunningNumbers<Multiply>(type);
    case Operation::kMinimum:
      return RunningNumbers<Minimum>(type);
    case Operation::kMaximum:
      return RunningNumbers<Maximum>(type);
    case Operation::kAnd:
      return RunningOf<And>(type);
    case Operation::kOr:
      return RunningOf<Or>(type);
    case Operation::kXor:
      return RunningOf<Xor>(type);
    default:
      return {};
  }
}

}  // namespace
}  // namespace array_interface
