// The loops of reductions that combine rows. Compiled as operations.hpp says.
#pragma once

#include "program/instruction.hpp"
#include "program/loops/operations.hpp"
#include "program/loops/vectors.hpp"

namespace array_interface {
namespace {

/// An operation of vectors, whose elements have the type `T`.
template <typename Operation, typename T, typename Vector>
void Update(Vector& own, const Vector& next) {
  constexpr bool is_least = IsSameType<Operation, Minimum>;
  if constexpr (is_least || IsSameType<Operation, Maximum>) {
    const auto is_next = is_least ? next < own : own < next;
    Vector result = is_next ? next : own;
    if constexpr (kIsFloat<T>) {
      using Bits = typename VectorOf<BitsOf<T>, sizeof(Vector) / sizeof(T)>::Type;
      const auto a = reinterpret_cast<Bits>(own);
      const auto b = reinterpret_cast<Bits>(next);
      const Bits zero = is_least ? a | b : a & b;  // or any two equal ones
      result = own == next ? reinterpret_cast<Vector>(zero) : result;
      result =
          next != next ? Vector{} + NotANumber<T>() : result;  // NOLINT(misc-redundant-expression)
    }
    own = result;
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

template <typename Operation, typename T, typename From = T>
void Fold(void* to, const void* from, const FoldShape& shape) {
  constexpr std::size_t line = 64 / sizeof(T);
  constexpr std::size_t lanes = line < 32 ? line : 32;
  // Sums and products of narrow types are rare: they widen.
  constexpr bool is_extreme = IsSameType<Operation, Minimum> || IsSameType<Operation, Maximum>;
  for (std::size_t group = 0; group < shape.groups; ++group) {
    T* const result = static_cast<T*>(to) + group * shape.to_step;
    const From* const rows = static_cast<const From*>(from) + group * shape.from_step;
    std::size_t lane = 0;
    if constexpr (is_extreme && 4 * line > 32) {
      for (; lane + 4 * line <= shape.width; lane += 4 * line) {
        FoldVectors<Operation, T, From, line, 4>(result + lane, rows + lane, shape);
      }
    }
    for (; lane + 32 <= shape.width; lane += 32) {
      FoldVectors<Operation, T, From, lanes, 32 / lanes>(result + lane, rows + lane, shape);
    }
    for (; lane + 8 <= shape.width; lane += 8) {
      FoldVectors<Operation, T, From, 8, 1>(result + lane, rows + lane, shape);
    }
    for (; lane < shape.width; ++lane) {
      FoldNumbers<Operation, T, From>(result + lane, rows + lane, shape);
    }
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

template <typename Operation>
RunningLoops RunningOf(ValueType type) {
  switch (type) {
    case ValueType::kInt8:
      return {Fold<Operation, std::int8_t>, Scan<Operation, std::int8_t>};
    case ValueType::kInt16:
      return {Fold<Operation, std::int16_t>, Scan<Operation, std::int16_t>};
    case ValueType::kInt32:
      return {Fold<Operation, std::int32_t>, Scan<Operation, std::int32_t>};
    case ValueType::kInt64:
      return {Fold<Operation, std::int64_t>, Scan<Operation, std::int64_t>};
    case ValueType::kBool:
    case ValueType::kUint8:
      return {Fold<Operation, std::uint8_t>, Scan<Operation, std::uint8_t>};
    case ValueType::kUint16:
      return {Fold<Operation, std::uint16_t>, Scan<Operation, std::uint16_t>};
    case ValueType::kUint32:
      return {Fold<Operation, std::uint32_t>, Scan<Operation, std::uint32_t>};
    case ValueType::kUint64:
      return {Fold<Operation, std::uint64_t>, Scan<Operation, std::uint64_t>};
    default:
      return {nullptr, nullptr};
  }
}

template <typename Operation>
RunningLoops RunningNumbers(ValueType type) {
  if (type == ValueType::kFloat32) return {Fold<Operation, float>, Scan<Operation, float>};
  if (type == ValueType::kFloat64) return {Fold<Operation, double>, Scan<Operation, double>};
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
  constexpr std::size_t lanes = line < 32 ? line : 32;
  for (std::size_t group = 0; group < shape.groups; ++group) {
    To* const result = static_cast<To*>(to) + group * shape.to_step;
    const From* const rows = static_cast<const From*>(from) + group * shape.from_step;
    std::size_t lane = 0;
    if constexpr (4 * line > 32) {
      for (; lane + 4 * line <= shape.width; lane += 4 * line) {
        FoldTestVectors<tests, line, 4>(result + lane, rows + lane, shape);
      }
    }
    for (; lane + 32 <= shape.width; lane += 32) {
      FoldTestVectors<tests, lanes, 32 / lanes>(result + lane, rows + lane, shape);
    }
    for (; lane + 8 <= shape.width; lane += 8) {
      FoldTestVectors<tests, 8, 1>(result + lane, rows + lane, shape);
    }
    for (; lane < shape.width; ++lane) {
      FoldTestVectors<tests, 1, 1>(result + lane, rows + lane, shape);
    }
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

/// Returns the loop that folds values of the type `from`, converted to another. Null if there is
/// none: narrow integers are converted faster by a loop of their own.
FoldLoop ConvertingFoldOf(Operation operation, ValueType type, ValueType from) {
  const bool is_sum = operation == Operation::kAdd;
  if (type == ValueType::kFloat64 && from == ValueType::kFloat32) {
    if (is_sum) return Fold<Add, double, float>;
    return operation == Operation::kMultiply ? Fold<Multiply, double, float> : nullptr;
  }
  if (!is_sum || SizeOf(type) != 8) return nullptr;
  const bool is_float = type == ValueType::kFloat64;
  if (from == ValueType::kInt32)
    return is_float ? Fold<Add, double, std::int32_t> : Fold<Add, std::uint64_t, std::int32_t>;
  if (from == ValueType::kUint32)
    return is_float ? Fold<Add, double, std::uint32_t> : Fold<Add, std::uint64_t, std::uint32_t>;
  return nullptr;
}

/// Integers that wrap around, as unsigned ones.
ValueType Unsigned(ValueType type) {
  switch (type) {
    case ValueType::kInt8:
      return ValueType::kUint8;
    case ValueType::kInt16:
      return ValueType::kUint16;
    case ValueType::kInt32:
      return ValueType::kUint32;
    case ValueType::kInt64:
      return ValueType::kUint64;
    default:
      return type;
  }
}

/// Returns the loops that combine many values of a type by an operation. Null if there are none.
RunningLoops RunningLoopsOf(Operation operation, ValueType type) {
  switch (operation) {
    case Operation::kAdd:
      return RunningNumbers<Add>(Unsigned(type));
    case Operation::kMultiply:
      return RunningNumbers<Multiply>(Unsigned(type));
    case Operation::kMinimum:
      return RunningNumbers<Minimum>(type);
    case Operation::kMaximum:
      return RunningNumbers<Maximum>(type);
    case Operation::kAnd:
      return RunningOf<And>(Unsigned(type));
    case Operation::kOr:
      return RunningOf<Or>(Unsigned(type));
    case Operation::kXor:
      return RunningOf<Xor>(Unsigned(type));
    default:
      return {nullptr, nullptr};
  }
}

}  // namespace
}  // namespace array_interface
