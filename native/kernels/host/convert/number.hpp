#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "kernels/device/number.h"

namespace array_interface {

/// Tag types for element types that C++ lacks.
struct Half {
  std::uint16_t bits;
};
struct Bfloat16 {
  std::uint16_t bits;
};
struct Bool {
  std::uint8_t byte;
};
template <typename Part>
struct Complex {
  Part real;
  Part imaginary;
};

template <typename Number>
inline constexpr bool is_complex = false;
template <typename Part>
inline constexpr bool is_complex<Complex<Part>> = true;

template <typename Number>
inline constexpr bool is_short_float =
    std::is_same_v<Number, Half> || std::is_same_v<Number, Bfloat16>;

/// The lowest 32 bits of a whole number below 2^51.
inline std::uint64_t low_bits(double whole) {
  const double shifted = whole + 0x1.8p52;  // its last digit stands for 1
  std::uint64_t bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  return bits & 0xffffffffu;
}

/// Rounds towards zero. Saturates out-of-range numbers; NaN becomes 0.
template <typename Integer, typename Float>
inline Integer truncated(Float value) {
  using Limits = std::numeric_limits<Integer>;
  // A power of two, and its half, are exact in every float. The largest integer need not be.
  // NOLINTNEXTLINE(bugprone-integer-division)
  constexpr Float bound = static_cast<Float>(Limits::max() / 2 + 1) * Float{2};
  constexpr Float low = static_cast<Float>(Limits::min());
  if constexpr (sizeof(Integer) == 8) {
    // Uses only operations that every vector unit has; few convert to 64 bits.
    const double number = std::isnan(value) ? 0.0 : value;
    const double above = number > low ? number : low;
    const double whole = std::trunc(above < bound ? above : 0.0);
    const double upper = std::floor(whole * 0x1p-32);
    const std::uint64_t bits = low_bits(upper) << 32 | low_bits(whole - upper * 0x1p32);
    return above < bound ? static_cast<Integer>(bits) : Limits::max();
  } else {
    const bool fits = (value >= low || value > low - 1) && value < bound;
    const Integer outside = value >= bound ? Limits::max() : value < 0 ? Limits::min() : Integer{0};
    return fits ? static_cast<Integer>(fits ? value : Float{0}) : outside;
  }
}

/// Numbers strictly between -limit and limit (for unsigned integers, between -1 and limit) are
/// truncated in a few operations that every vector unit has.
template <typename Integer>
inline constexpr double within =
    sizeof(Integer) == 8        ? 0x1p51
    : std::is_signed_v<Integer> ? std::numeric_limits<Integer>::max()
                                : std::numeric_limits<Integer>::max() + 1.0;

/// truncated() for numbers within that limit, three times as fast.
template <typename Integer, typename Float>
inline Integer truncated_within(Float value) {
  if constexpr (sizeof(Integer) < 4 || std::is_same_v<Integer, std::int32_t>) {
    return static_cast<Integer>(static_cast<std::int32_t>(value));
  } else {
    const double shifted =
        std::trunc(static_cast<double>(value)) + 0x1.8p52;  // its last digit stands for 1
    std::int64_t bits;
    std::memcpy(&bits, &shifted, sizeof bits);
    return static_cast<Integer>(bits - 0x4338000000000000);
  }
}

/// The type in which a number is rounded, with all its digits.
template <typename Number>
using Rounded =
    std::conditional_t<std::is_same_v<Number, double> || std::is_same_v<Number, Complex<double>>,
                       double, float>;

inline float float_of(Half value) { return float_of_half(value.bits); }
inline float float_of(Bfloat16 value) { return float_of_bfloat16(value.bits); }

/// Returns the nearest whole number, ties to even. A complex number loses its imaginary part.
template <typename Number>
inline Rounded<Number> rounded(Number value) {
  if constexpr (is_complex<Number>) {
    return rounded(value.real);
  } else if constexpr (is_short_float<Number>) {
    return whole_float(float_of(value));
  } else if constexpr (std::is_same_v<Number, double>) {
    return whole_double(value);
  } else {
    return whole_float(value);
  }
}

/// Returns the same number, or a float that rounds to the same half. The double is cut off to the
/// digits of a float, and the last digit is made odd if anything was lost. A half has so many
/// digits fewer that this float cannot round the other way.
inline float before_half(double value) {
  constexpr std::uint64_t lost = 0x1fffffff;
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  bits = (bits | ((bits & lost) + lost)) & ~lost;
  std::memcpy(&value, &bits, sizeof value);
  return static_cast<float>(value);
}

/// An intermediate value that becomes a half in a second step.
template <typename From>
inline float before_half(From value) {
  if constexpr (is_complex<From>) {
    return before_half(value.real);
  } else if constexpr (std::is_same_v<From, Bool>) {
    return static_cast<float>(value.byte != 0);
  } else if constexpr (is_short_float<From>) {
    return float_of(value);
  } else {
    return static_cast<float>(value);
  }
}

/// Converts as the language does, with one rounding, using operations that every vector unit has.
/// The upper half becomes digits of 2^84, the lower half digits of 2^52.
template <typename Integer>
inline double double_of(Integer value) {
  constexpr bool is_signed = std::is_signed_v<Integer>;
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint64_t high = ((bits >> 32) ^ (is_signed ? 0x80000000u : 0u)) | 0x4530000000000000u;
  const std::uint64_t low = (bits & 0xffffffffu) | 0x4330000000000000u;
  double upper;
  double lower;
  std::memcpy(&upper, &high, sizeof upper);
  std::memcpy(&lower, &low, sizeof lower);
  constexpr double bias = 0x1p84 + 0x1p52 + (is_signed ? 0x1p63 : 0.0);
  return (upper - bias) + lower;
}

/// Converts one number to another type. Results match NumPy wherever NumPy defines them: integers
/// wrap, floats round to nearest even, complex numbers lose their imaginary part, and everything
/// but 0 is true.
template <typename To, typename From>
inline To converted(From value) {
  if constexpr (std::is_same_v<To, Bool>) {
    if constexpr (is_complex<From>) {
      return {static_cast<std::uint8_t>((value.real != 0) | (value.imaginary != 0))};
    } else if constexpr (is_short_float<From>) {
      return {static_cast<std::uint8_t>((value.bits & 0x7fff) != 0)};
    } else if constexpr (std::is_same_v<From, Bool>) {
      return {static_cast<std::uint8_t>(value.byte != 0)};
    } else {
      return {static_cast<std::uint8_t>(value != 0)};
    }
  } else if constexpr (is_complex<To>) {
    using Part = decltype(To::real);
    if constexpr (is_complex<From>) {
      return {converted<Part>(value.real), converted<Part>(value.imaginary)};
    } else {
      return {converted<Part>(value), Part{0}};
    }
  } else if constexpr (is_complex<From>) {
    return converted<To>(value.real);
  } else if constexpr (std::is_same_v<From, Bool> && std::is_arithmetic_v<To>) {
    return value.byte != 0 ? To{1} : To{0};
  } else if constexpr (std::is_same_v<From, Bool>) {
    return converted<To>(static_cast<float>(value.byte != 0));
  } else if constexpr (std::is_same_v<To, Half>) {
    return {half_of_float(before_half(value))};
  } else if constexpr (std::is_same_v<To, Bfloat16>) {
    if constexpr (is_short_float<From>) {
      return {bfloat16_of_float(float_of(value))};
    } else {
      return {bfloat16_of_float(static_cast<float>(value))};
    }
  } else if constexpr (is_short_float<From>) {
    return converted<To>(float_of(value));
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return truncated<To>(value);
  } else if constexpr (std::is_same_v<To, double> && std::is_integral_v<From> &&
                       sizeof(From) == 8) {
    return double_of(value);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace array_interface
