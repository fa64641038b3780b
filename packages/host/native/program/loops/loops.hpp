// The loops of a program, one for each operation and type. Each file that includes this is compiled
// for other vectors, so everything is in an anonymous namespace, and nothing of the standard
// library is called that could become a function of its own: the linker would keep one of several.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program/instruction.hpp"

namespace array_interface {
namespace {

template <std::size_t size>
struct OfSize;
template <>
struct OfSize<1> {
  using Bits = std::uint8_t;
};
template <>
struct OfSize<2> {
  using Bits = std::uint16_t;
};
template <>
struct OfSize<4> {
  using Bits = std::uint32_t;
};
template <>
struct OfSize<8> {
  using Bits = std::uint64_t;
};

/// The unsigned integer with as many bits, in which integers wrap around.
template <typename T>
using BitsOf = typename OfSize<sizeof(T)>::Bits;

template <typename T>
constexpr bool kIsFloat = static_cast<T>(0.5) != 0;
template <typename T>
constexpr bool kIsSigned = static_cast<T>(-1) < static_cast<T>(1);
template <typename T>
constexpr int kWidth = 8 * sizeof(T);

template <typename A, typename B>
constexpr bool IsSameType = false;
template <typename A>
constexpr bool IsSameType<A, A> = true;

template <typename T>
BitsOf<T> ToBits(T value) {
  BitsOf<T> bits = 0;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}

template <typename T>
T FromBits(BitsOf<T> bits) {
  T value = 0;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

template <typename T>
T NotANumber() {
  return static_cast<T>(__builtin_nan(""));
}

struct Add {
  template <typename T>
  static T Of(T a, T b) {
    return static_cast<T>(a + b);
  }
};

struct Subtract {
  template <typename T>
  static T Of(T a, T b) {
    return static_cast<T>(a - b);
  }
};

struct Multiply {
  template <typename T>
  static T Of(T a, T b) {
    if constexpr (sizeof(T) < sizeof(int)) {
      return static_cast<T>(static_cast<unsigned>(a) * b);  // no int, which could overflow
    } else {
      return a * b;
    }
  }
};

struct Divide {
  template <typename T>
  static T Of(T a, T b) {
    return a / b;
  }
};

/// Of integers, cut off. 0 by 0, and wrapped around by -1: no program crashes.
struct Quotient {
  template <typename T>
  static T Of(T a, T b) {
    if constexpr (sizeof(T) < sizeof(std::int64_t)) {
      // Exact, and in vectors: the next integer is further away than a rounding error.
      const double divisor = b == 0 ? 1 : static_cast<double>(b);
      const auto wide = static_cast<std::int64_t>(static_cast<double>(a) / divisor);
      return b == 0 ? static_cast<T>(0) : static_cast<T>(static_cast<BitsOf<T>>(wide));
    } else {
      if (b == 0) return 0;
      if constexpr (kIsSigned<T>) {
        if (b == -1) return static_cast<T>(0 - static_cast<BitsOf<T>>(a));
      }
      return static_cast<T>(a / b);
    }
  }
};

struct Remainder {
  template <typename T>
  static T Of(T a, T b) {
    if constexpr (sizeof(T) == sizeof(double) && kIsFloat<T>) {
      return __builtin_fmod(a, b);
    } else if constexpr (kIsFloat<T>) {
      return __builtin_fmodf(a, b);
    } else {
      using Bits = BitsOf<T>;
      const Bits product =
          Multiply::Of<Bits>(static_cast<Bits>(Quotient::Of(a, b)), static_cast<Bits>(b));
      return static_cast<T>(static_cast<Bits>(static_cast<Bits>(a) - product));
    }
  }
};

struct Negate {
  template <typename T>
  static T Of(T a) {
    if constexpr (kIsFloat<T>) return -a;
    return static_cast<T>(0 - a);
  }
};

struct Absolute {
  static float Of(float a) { return __builtin_fabsf(a); }
  static double Of(double a) { return __builtin_fabs(a); }
};

struct SquareRoot {
  static float Of(float a) { return __builtin_sqrtf(a); }
  static double Of(double a) { return __builtin_sqrt(a); }
};

struct Floor {
  static float Of(float a) { return __builtin_floorf(a); }
  static double Of(double a) { return __builtin_floor(a); }
};

struct Ceiling {
  static float Of(float a) { return __builtin_ceilf(a); }
  static double Of(double a) { return __builtin_ceil(a); }
};

struct Truncate {
  static float Of(float a) { return __builtin_truncf(a); }
  static double Of(double a) { return __builtin_trunc(a); }
};

struct RoundToEven {
  static float Of(float a) { return __builtin_nearbyintf(a); }
  static double Of(double a) { return __builtin_nearbyint(a); }
};

/// NaN if one is NaN; -0 is less than 0.
struct Minimum {
  template <typename T>
  static T Of(T a, T b) {
    if constexpr (kIsFloat<T>) {
      const T either = FromBits<T>(ToBits(a) | ToBits(b));  // the same, or -0
      const T unequal = a < b ? a : b < a ? b : NotANumber<T>();
      return a == b ? either : unequal;
    } else {
      return a < b ? a : b;
    }
  }
};

struct Maximum {
  template <typename T>
  static T Of(T a, T b) {
    if constexpr (kIsFloat<T>) {
      const T both = FromBits<T>(ToBits(a) & ToBits(b));
      const T unequal = a < b ? b : b < a ? a : NotANumber<T>();
      return a == b ? both : unequal;
    } else {
      return a < b ? b : a;
    }
  }
};

struct And {
  template <typename T>
  static T Of(T a, T b) {
    return static_cast<T>(a & b);
  }
};

struct Or {
  template <typename T>
  static T Of(T a, T b) {
    return static_cast<T>(a | b);
  }
};

struct Xor {
  template <typename T>
  static T Of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

struct Not {
  template <typename T>
  static T Of(T a) {
    return static_cast<T>(~a);
  }
};

struct NotBool {
  static std::uint8_t Of(std::uint8_t a) { return a == 0 ? 1 : 0; }
};

struct ShiftLeft {
  template <typename T>
  static T Of(T a, T b) {
    return static_cast<T>(a << (b & (kWidth<T> - 1)));
  }
};

struct ShiftRight {
  template <typename T>
  static T Of(T a, T b) {
    return static_cast<T>(a >> (static_cast<BitsOf<T>>(b) & (kWidth<T> - 1)));
  }
};

struct Equal {
  template <typename T>
  static std::uint8_t Of(T a, T b) {
    return a == b ? 1 : 0;
  }
};

struct Less {
  template <typename T>
  static std::uint8_t Of(T a, T b) {
    return a < b ? 1 : 0;
  }
};

struct LessEqual {
  template <typename T>
  static std::uint8_t Of(T a, T b) {
    return a <= b ? 1 : 0;
  }
};

struct WithoutPayload {
  template <typename T>
  static T Of(T a) {
    return a == a ? a : NotANumber<T>();  // NOLINT(misc-redundant-expression): a NaN is not
  }
};

/// A float that no integer of the type has becomes 0: C++ defines no result.
template <typename To>
struct Convert {
  template <typename From>
  static To Of(From a) {
    if constexpr (kIsFloat<From> && !kIsFloat<To>) {
      // Powers of two, which every float has.
      constexpr From above = static_cast<From>(1ULL << (kWidth<To> - 2)) * (kIsSigned<To> ? 2 : 4);
      constexpr From least = kIsSigned<To> ? -above : 0;
      const bool is_within = a < above && (kIsSigned<To> ? a >= least : a > -1);
      const From inside = is_within ? a : 0;
      if constexpr (sizeof(To) < sizeof(std::int32_t)) {
        return static_cast<To>(static_cast<std::int32_t>(inside));
      } else {
        return static_cast<To>(inside);
      }
    } else {
      return static_cast<To>(a);
    }
  }
};

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

constexpr std::ptrdiff_t kAhead = 8192;

/// How far ahead elements are asked for, since one core waits for memory otherwise: behind all rows
/// that follow one another, or a bit further in the same row.
std::ptrdiff_t AheadOf(const FoldShape& shape) {
  const bool is_dense = shape.row_step == static_cast<std::ptrdiff_t>(shape.width);
  return is_dense ? kAhead : 1024;
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

/// Combines rows of `count` vectors of `lanes` neighbours, which stay in registers.
template <typename Operation, typename T, typename From, std::size_t lanes, std::size_t count>
void FoldVectors(T* to, const From* from, const FoldShape& shape) {
  using Vector = typename VectorOf<T, lanes>::Type;
  Vector own[count];
  for (std::size_t at = 0; at < count; ++at) {
    if (shape.adds) {
      Read(own[at], to + at * lanes);
    } else {
      ReadConverted(own[at], from + at * lanes);
    }
  }
  const From* next = shape.adds ? from : from + shape.row_step;
  const std::ptrdiff_t ahead = AheadOf(shape);
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
  constexpr std::size_t kMost = 127;  // which a byte holds
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
    if constexpr (tests != Tests::kCount && 4 * line > 32) {
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
/// none: integers are converted faster by a loop of their own.
FoldLoop ConvertingFoldOf(Operation operation, ValueType type, ValueType from) {
  if (type != ValueType::kFloat64 || from != ValueType::kFloat32) return nullptr;
  if (operation == Operation::kAdd) return Fold<Add, double, float>;
  return operation == Operation::kMultiply ? Fold<Multiply, double, float> : nullptr;
}

/// Whether `a` is in place of `b`, of which neither is NaN.
template <bool is_least, typename T>
bool IsBetter(T a, T b) {
  return is_least ? a < b : b < a;
}

template <typename T>
bool IsNaN(T value) {
  return value != value;  // NOLINT(misc-redundant-expression): a NaN is not
}

/// The least or the greatest of some values, and whether one is NaN.
template <bool is_least, typename T>
struct Best {
  T value;
  bool has_nan;
};

/// Keeps the better one of each two values, and which are NaN.
template <bool is_least, typename T, typename Vector, typename Nans>
void KeepBest(Vector& own, Nans& nans, const T* from) {
  Vector next;
  Read(next, from);
  own = is_least ? (next < own ? next : own) : (own < next ? next : own);
  if constexpr (kIsFloat<T>) nans |= next != next;  // NOLINT(misc-redundant-expression)
}

/// The best of some values, of which none is NaN. Their number is a power of two.
template <bool is_least, std::size_t count, typename T>
T BestOfFew(const T* values) {
  if constexpr (count == 1) {
    return *values;
  } else {
    using Vector = typename VectorOf<T, count / 2>::Type;
    Vector own;
    Vector next;
    Read(own, values);
    Read(next, values + count / 2);
    own = is_least ? (next < own ? next : own) : (own < next ? next : own);
    T half[count / 2];
    __builtin_memcpy(half, &own, sizeof half);
    return BestOfFew<is_least, count / 2>(half);
  }
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

template <bool is_least, typename T>
Best<is_least, T> BestOf(const T* values, std::size_t count) {
  constexpr std::size_t lanes = 64 / sizeof(T);
  constexpr std::size_t vectors = 4;
  using Vector = typename VectorOf<T, lanes>::Type;
  if (count < lanes) {
    T best = values[0];
    bool has_nan = IsNaN(best);
    for (std::size_t at = 1; at < count; ++at) {
      if (IsBetter<is_least>(values[at], best)) best = values[at];
      has_nan |= IsNaN(values[at]);
    }
    return {best, has_nan};
  }
  Vector own[vectors];
  for (Vector& one : own) Read(one, values);
  auto nans = own[0] != own[0];  // NOLINT(misc-redundant-expression)
  std::size_t at = 0;
  for (; at + vectors * lanes <= count; at += vectors * lanes) {
    for (std::size_t part = 0; part < vectors; ++part) {
      AskFor(values + at + part * lanes, kAhead);
      KeepBest<is_least>(own[part], nans, values + at + part * lanes);
    }
  }
  for (; at + lanes <= count; at += lanes) KeepBest<is_least>(own[0], nans, values + at);
  // The last ones may be compared twice.
  KeepBest<is_least>(own[0], nans, values + count - lanes);
  T all[vectors * lanes];
  __builtin_memcpy(all, own, sizeof all);
  return {BestOfFew<is_least, vectors * lanes>(all), HasAny(nans)};
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
  while (!is_it(values[at])) ++at;
  return at;
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

template <bool is_least, typename T>
void FindAlong(const void* from, std::size_t count, void* to, std::int64_t* place,
               std::int64_t first) {
  const auto* const values = static_cast<const T*>(from);
  T& best = *static_cast<T*>(to);
  if (first > 0 && IsNaN(best)) return;
  const auto [value, has_nan] = BestOf<is_least>(values, count);
  if (!has_nan && first > 0 && !IsBetter<is_least>(value, best)) return;
  best = has_nan ? static_cast<T>(NotANumber<double>()) : value;
  *place = first + static_cast<std::int64_t>(FirstOfBest(values, count, best, has_nan));
}

template <bool is_least, typename T>
void FindAcross(const void* from, std::size_t count, void* to, std::int64_t* places,
                std::int64_t place) {
  const auto* const __restrict values = static_cast<const T*>(from);
  auto* const __restrict best = static_cast<T*>(to);
  for (std::size_t index = 0; index < count; ++index) {
    const T next = values[index];
    const T own = best[index];
    const bool is_nan = IsNaN(next) && !IsNaN(own);
    const bool is_next = IsBetter<is_least>(next, own) || is_nan;
    best[index] = is_next ? next : own;
    places[index] = is_next ? place : places[index];
  }
}

/// Finds the first of some bytes that is 0, or the first that is not: of bools in any byte.
template <bool is_least>
void FindTruthAlong(const void* from, std::size_t count, void* to, std::int64_t* place,
                    std::int64_t first) {
  using Vector = typename VectorOf<std::uint8_t, 64>::Type;
  const auto* const bytes = static_cast<const std::uint8_t*>(from);
  auto& best = *static_cast<std::uint8_t*>(to);
  constexpr std::uint8_t wanted = is_least ? 0 : 1;
  if (first > 0 && best == wanted) return;
  if (first == 0) *place = 0;
  best = 1 - wanted;
  std::size_t at = 0;
  for (; at + 64 <= count; at += 64) {
    Vector next;
    AskFor(bytes + at, kAhead);
    Read(next, bytes + at);
    if (HasAny(is_least ? next == Vector{} : next != Vector{})) break;
  }
  while (at < count && (bytes[at] == 0) != is_least) ++at;
  if (at == count) return;
  *place = first + static_cast<std::int64_t>(at);
  best = wanted;
}

template <bool is_least>
void FindTruthAcross(const void* from, std::size_t count, void* to, std::int64_t* places,
                     std::int64_t place) {
  const auto* const __restrict bytes = static_cast<const std::uint8_t*>(from);
  auto* const __restrict best = static_cast<std::uint8_t*>(to);
  for (std::size_t index = 0; index < count; ++index) {
    const std::uint8_t next = bytes[index] != 0;
    const std::uint8_t own = best[index] != 0;
    const bool is_next = IsBetter<is_least>(next, own);
    best[index] = is_next ? next : own;
    places[index] = is_next ? place : places[index];
  }
}

template <typename T>
PlaceLoops PlaceLoopsFor(bool is_least) {
  if (is_least) return {FindAlong<true, T>, FindAcross<true, T>};
  return {FindAlong<false, T>, FindAcross<false, T>};
}

PlaceLoops PlaceLoopsOf(ValueType type, bool is_least) {
  switch (type) {
    case ValueType::kBool:
      if (is_least) return {FindTruthAlong<true>, FindTruthAcross<true>};
      return {FindTruthAlong<false>, FindTruthAcross<false>};
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
