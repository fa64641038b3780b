// The loops of programs, one for each operation and type. Compiled as operations.hpp says.
#pragma once

#include "program/instruction.hpp"
#include "program/loops/exponential.hpp"
#include "program/loops/operations.hpp"

namespace array_interface {
namespace {

template <typename Operation, typename To, typename From>
void Map(void* to, const void* const* operands, std::size_t count) {
  auto* const __restrict result = static_cast<To*>(to);
  const auto* const a = static_cast<const From*>(operands[0]);
  for (std::size_t index = 0; index < count; ++index) result[index] = Operation::Of(a[index]);
}

template <typename Operation, typename To, typename From>
void Zip(void* to, const void* const* operands, std::size_t count) {
  auto* const __restrict result = static_cast<To*>(to);
  const auto* const a = static_cast<const From*>(operands[0]);
  const auto* const b = static_cast<const From*>(operands[1]);
  for (std::size_t index = 0; index < count; ++index) {
    result[index] = Operation::template Of<From>(a[index], b[index]);
  }
}

/// The same with one number for all elements as the operand of that index.
template <typename Operation, typename To, typename From, std::size_t number>
void ZipNumber(void* to, const void* const* operands, std::size_t count) {
  auto* const __restrict result = static_cast<To*>(to);
  const From fixed = *static_cast<const From*>(operands[number]);
  const auto* const other = static_cast<const From*>(operands[1 - number]);
  for (std::size_t index = 0; index < count; ++index) {
    const From a = number == 0 ? fixed : other[index];
    const From b = number == 0 ? other[index] : fixed;
    result[index] = Operation::template Of<From>(a, b);
  }
}

/// A product and a number, each rounded.
template <typename T>
void MultiplyAddNumber(void* to, const void* const* operands, std::size_t count) {
  auto* const __restrict result = static_cast<T*>(to);
  const auto* const a = static_cast<const T*>(operands[0]);
  const auto* const b = static_cast<const T*>(operands[1]);
  const T fixed = *static_cast<const T*>(operands[2]);
  for (std::size_t index = 0; index < count; ++index) result[index] = a[index] * b[index] + fixed;
}

template <typename Bits>
void Select(void* to, const void* const* operands, std::size_t count) {
  auto* const __restrict result = static_cast<Bits*>(to);
  const auto* const condition = static_cast<const std::uint8_t*>(operands[0]);
  const auto* const a = static_cast<const Bits*>(operands[1]);
  const auto* const b = static_cast<const Bits*>(operands[2]);
  for (std::size_t index = 0; index < count; ++index) {
    const Bits one = a[index];  // reads both, so that there is no branch
    const Bits other = b[index];
    result[index] = condition[index] != 0 ? one : other;
  }
}

/// Copies values that are a step apart to neighbours. The step is known, so whole vectors are read.
template <typename Bits, std::ptrdiff_t step>
void Collect(void* to, const void* const* operands, std::size_t count) {
  auto* const __restrict result = static_cast<Bits*>(to);
  const auto* const from = static_cast<const Bits*>(operands[0]);
  for (std::size_t index = 0; index < count; ++index) {
    result[index] = from[static_cast<std::ptrdiff_t>(index) * step];
  }
}

template <typename Operation>
Loop MapFloats(ValueType type) {
  if (type == ValueType::kFloat32) return Map<Operation, float, float>;
  return type == ValueType::kFloat64 ? Map<Operation, double, double> : nullptr;
}

template <typename Operation>
Loop ZipFloats(ValueType type) {
  if (type == ValueType::kFloat32) return Zip<Operation, float, float>;
  return type == ValueType::kFloat64 ? Zip<Operation, double, double> : nullptr;
}

/// For bits, whatever they mean: bools, integers, and floats that are only moved.
template <template <typename> class Bound>
Loop OfBits(ValueType type) {
  switch (SizeOf(type)) {
    case 1:
      return Bound<std::uint8_t>::kLoop;
    case 2:
      return Bound<std::uint16_t>::kLoop;
    case 4:
      return Bound<std::uint32_t>::kLoop;
    default:
      return Bound<std::uint64_t>::kLoop;
  }
}

template <typename Operation>
struct Of {
  template <typename Bits>
  struct ZipBits {
    static constexpr Loop kLoop = Zip<Operation, Bits, Bits>;
  };
  template <typename Bits>
  struct MapBits {
    static constexpr Loop kLoop = Map<Operation, Bits, Bits>;
  };
  template <typename Bits>
  struct CompareBits {
    static constexpr Loop kLoop = Zip<Operation, std::uint8_t, Bits>;
  };
};

template <typename Bits>
struct SelectBits {
  static constexpr Loop kLoop = Select<Bits>;
};

/// Reversed values, and every second one. Narrow ones take longer in vectors.
template <typename Bits>
Loop StepLoopOf(std::int64_t step) {
  if (step == -1) return Collect<Bits, -1>;
  return step == 2 ? Collect<Bits, 2> : nullptr;
}

Loop StepLoopOf(ValueType type, std::int64_t step) {
  switch (SizeOf(type)) {
    case 4:
      return StepLoopOf<std::uint32_t>(step);
    case 8:
      return StepLoopOf<std::uint64_t>(step);
    default:
      return nullptr;
  }
}

/// For integers whose sign counts.
template <typename Operation>
Loop ZipIntegers(ValueType type) {
  switch (type) {
    case ValueType::kInt8:
      return Zip<Operation, std::int8_t, std::int8_t>;
    case ValueType::kInt16:
      return Zip<Operation, std::int16_t, std::int16_t>;
    case ValueType::kInt32:
      return Zip<Operation, std::int32_t, std::int32_t>;
    case ValueType::kInt64:
      return Zip<Operation, std::int64_t, std::int64_t>;
    case ValueType::kUint8:
      return Zip<Operation, std::uint8_t, std::uint8_t>;
    case ValueType::kUint16:
      return Zip<Operation, std::uint16_t, std::uint16_t>;
    case ValueType::kUint32:
      return Zip<Operation, std::uint32_t, std::uint32_t>;
    case ValueType::kUint64:
      return Zip<Operation, std::uint64_t, std::uint64_t>;
    default:
      return nullptr;
  }
}

template <typename Operation>
Loop Order(ValueType from) {
  switch (from) {
    case ValueType::kBool:
    case ValueType::kUint8:
      return Zip<Operation, std::uint8_t, std::uint8_t>;
    case ValueType::kInt8:
      return Zip<Operation, std::uint8_t, std::int8_t>;
    case ValueType::kInt16:
      return Zip<Operation, std::uint8_t, std::int16_t>;
    case ValueType::kInt32:
      return Zip<Operation, std::uint8_t, std::int32_t>;
    case ValueType::kInt64:
      return Zip<Operation, std::uint8_t, std::int64_t>;
    case ValueType::kUint16:
      return Zip<Operation, std::uint8_t, std::uint16_t>;
    case ValueType::kUint32:
      return Zip<Operation, std::uint8_t, std::uint32_t>;
    case ValueType::kUint64:
      return Zip<Operation, std::uint8_t, std::uint64_t>;
    case ValueType::kFloat32:
      return Zip<Operation, std::uint8_t, float>;
    case ValueType::kFloat64:
      return Zip<Operation, std::uint8_t, double>;
  }
  return nullptr;
}

/// Integers are converted as unsigned ones: the result wraps around.
template <typename From>
Loop ConvertFrom(ValueType to) {
  const bool is_by_sign = kIsFloat<From>;
  switch (to) {
    case ValueType::kBool:
      return nullptr;
    case ValueType::kInt8:
      if (is_by_sign) return Map<Convert<std::int8_t>, std::int8_t, From>;
      return Map<Convert<std::uint8_t>, std::uint8_t, From>;
    case ValueType::kInt16:
      if (is_by_sign) return Map<Convert<std::int16_t>, std::int16_t, From>;
      return Map<Convert<std::uint16_t>, std::uint16_t, From>;
    case ValueType::kInt32:
      if (is_by_sign) return Map<Convert<std::int32_t>, std::int32_t, From>;
      return Map<Convert<std::uint32_t>, std::uint32_t, From>;
    case ValueType::kInt64:
      if (is_by_sign) return Map<Convert<std::int64_t>, std::int64_t, From>;
      return Map<Convert<std::uint64_t>, std::uint64_t, From>;
    case ValueType::kUint8:
      return Map<Convert<std::uint8_t>, std::uint8_t, From>;
    case ValueType::kUint16:
      return Map<Convert<std::uint16_t>, std::uint16_t, From>;
    case ValueType::kUint32:
      return Map<Convert<std::uint32_t>, std::uint32_t, From>;
    case ValueType::kUint64:
      return Map<Convert<std::uint64_t>, std::uint64_t, From>;
    case ValueType::kFloat32:
      return Map<Convert<float>, float, From>;
    case ValueType::kFloat64:
      return Map<Convert<double>, double, From>;
  }
  return nullptr;
}

Loop ConvertLoop(ValueType from, ValueType to) {
  switch (from) {
    case ValueType::kBool:
    case ValueType::kUint8:
      return ConvertFrom<std::uint8_t>(to);
    case ValueType::kInt8:
      return ConvertFrom<std::int8_t>(to);
    case ValueType::kInt16:
      return ConvertFrom<std::int16_t>(to);
    case ValueType::kInt32:
      return ConvertFrom<std::int32_t>(to);
    case ValueType::kInt64:
      return ConvertFrom<std::int64_t>(to);
    case ValueType::kUint16:
      return ConvertFrom<std::uint16_t>(to);
    case ValueType::kUint32:
      return ConvertFrom<std::uint32_t>(to);
    case ValueType::kUint64:
      return ConvertFrom<std::uint64_t>(to);
    case ValueType::kFloat32:
      return ConvertFrom<float>(to);
    case ValueType::kFloat64:
      return ConvertFrom<double>(to);
  }
  return nullptr;
}

/// Arithmetic: integers wrap around, and bools have none.
template <typename Operation>
Loop ZipNumbers(ValueType type) {
  if (IsFloat(type)) return ZipFloats<Operation>(type);
  if (type == ValueType::kBool) return nullptr;
  return OfBits<Of<Operation>::template ZipBits>(type);
}

template <typename Operation>
Loop ZipWords(ValueType type) {
  return IsFloat(type) ? nullptr : OfBits<Of<Operation>::template ZipBits>(type);
}

/// Returns the loop of an operation whose operands have the type `from`. Null if there is none.
Loop LoopOf(Operation operation, ValueType type, ValueType from) {
  switch (operation) {
    case Operation::kAdd:
      return ZipNumbers<Add>(type);
    case Operation::kSubtract:
      return ZipNumbers<Subtract>(type);
    case Operation::kMultiply:
      return ZipNumbers<Multiply>(type);
    case Operation::kDivide:
      return ZipFloats<Divide>(type);
    case Operation::kQuotient:
      return ZipIntegers<Quotient>(type);
    case Operation::kRemainder:
      return IsFloat(type) ? ZipFloats<Remainder>(type) : ZipIntegers<Remainder>(type);
    case Operation::kNegate:
      if (type == ValueType::kBool) return nullptr;
      return IsFloat(type) ? MapFloats<Negate>(type) : OfBits<Of<Negate>::MapBits>(type);
    case Operation::kAbsolute:
      return MapFloats<Absolute>(type);
    case Operation::kSquareRoot:
      return MapFloats<SquareRoot>(type);
    case Operation::kFloor:
      return MapFloats<Floor>(type);
    case Operation::kCeiling:
      return MapFloats<Ceiling>(type);
    case Operation::kTruncate:
      return MapFloats<Truncate>(type);
    case Operation::kRoundToEven:
      return MapFloats<RoundToEven>(type);
    case Operation::kMinimum:
      return IsFloat(type) ? ZipFloats<Minimum>(type) : ZipIntegers<Minimum>(type);
    case Operation::kMaximum:
      return IsFloat(type) ? ZipFloats<Maximum>(type) : ZipIntegers<Maximum>(type);
    case Operation::kAnd:
      return ZipWords<And>(type);
    case Operation::kOr:
      return ZipWords<Or>(type);
    case Operation::kXor:
      return ZipWords<Xor>(type);
    case Operation::kNot:
      if (type == ValueType::kBool) return Map<NotBool, std::uint8_t, std::uint8_t>;
      return IsFloat(type) ? nullptr : OfBits<Of<Not>::MapBits>(type);
    case Operation::kShiftLeft:
      return type == ValueType::kBool ? nullptr : ZipWords<ShiftLeft>(type);
    case Operation::kShiftRight:
      return ZipIntegers<ShiftRight>(type);
    case Operation::kEqual:
      return IsFloat(from) ? Order<Equal>(from) : OfBits<Of<Equal>::CompareBits>(from);
    case Operation::kLess:
      return Order<Less>(from);
    case Operation::kLessEqual:
      return Order<LessEqual>(from);
    case Operation::kSelect:
      return OfBits<SelectBits>(type);
    case Operation::kConvert:
      return ConvertLoop(from, type);
    case Operation::kExponential:
      return type == ValueType::kFloat64 ? Map<Exponential, double, double> : nullptr;
    case Operation::kWithoutPayload:
      return MapFloats<WithoutPayload>(type);
    default:
      return nullptr;
  }
}

template <typename T, std::size_t number>
Loop NumberLoop(Operation operation) {
  switch (operation) {
    case Operation::kAdd:
      return ZipNumber<Add, T, T, number>;
    case Operation::kSubtract:
      return ZipNumber<Subtract, T, T, number>;
    case Operation::kMultiply:
      return ZipNumber<Multiply, T, T, number>;
    case Operation::kDivide:
      return ZipNumber<Divide, T, T, number>;
    case Operation::kEqual:
      return ZipNumber<Equal, std::uint8_t, T, number>;
    case Operation::kLess:
      return ZipNumber<Less, std::uint8_t, T, number>;
    case Operation::kLessEqual:
      return ZipNumber<LessEqual, std::uint8_t, T, number>;
    default:
      return nullptr;
  }
}

template <typename T>
Loop NumberLoopAt(Operation operation, std::size_t number) {
  if (operation == Operation::kMultiplyAdd) return number == 2 ? MultiplyAddNumber<T> : nullptr;
  if (number > 1) return nullptr;
  return number == 0 ? NumberLoop<T, 0>(operation) : NumberLoop<T, 1>(operation);
}

/// Returns the loop of an operation of which the operand of that index is one number for all
/// elements. Null if there is none.
Loop NumberLoopOf(Operation operation, ValueType from, std::size_t number) {
  if (from == ValueType::kFloat32) return NumberLoopAt<float>(operation, number);
  return from == ValueType::kFloat64 ? NumberLoopAt<double>(operation, number) : nullptr;
}

}  // namespace
}  // namespace array_interface
