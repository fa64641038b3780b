// e^x, by the operations of meaning/mathematics.ts of @array-interface/expressions, in their order:
// devices have the same bits. Compiled as operations.hpp says.
#pragma once

#include "program/loops/operations.hpp"

namespace array_interface {
namespace {

/// (e^r - 1 - r) / r^2 for |r| < 0.35: 1 / k!, from the last one down to 2.
constexpr double kExponentialSeries[] = {
    1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
    1.0 / 5040,       1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6,      1.0 / 2,
};

/// 2^n, for a whole n from -1022 to 1023.
double PowerOfTwo(double n) {
  constexpr double kShifter = 6755399441055744;  // 1.5 * 2^52, which has n in the last bits
  constexpr std::uint64_t kOne = 0x3ff0000000000000;
  return FromBits<double>((ToBits(n + kShifter) << 52) + kOne);
}

struct Exponential {
  static double Of(double x) {
    const double n = RoundToEven::Of(x * 1.4426950408889634);
    // Two parts of the logarithm of 2, of which the first one has 32 digits.
    const double r = x - n * 0.6931471803691238 - n * 1.9082149292705877e-10;
    double series = kExponentialSeries[0];
    for (std::size_t k = 1; k < sizeof kExponentialSeries / sizeof(double); ++k) {
      series = series * r + kExponentialSeries[k];
    }
    const double value = r + r * r * series + 1;
    const double half = RoundToEven::Of(n * 0.5);
    const double whole = value * PowerOfTwo(half) * PowerOfTwo(n - half);
    const double bounded = x > 709.7827128933841 ? __builtin_inf() : whole;
    return x < -746 ? 0 : bounded;
  }
};

}  // namespace
}  // namespace array_interface
