// The operations of the loops of programs, of one value each. Each file of loops is compiled for
// other vectors, so everything is in an anonymous namespace, and nothing of the standard library is
// called that could become a function of its own: the linker would keep one of several.
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
}  // namespace
}  // namespace array_interface
