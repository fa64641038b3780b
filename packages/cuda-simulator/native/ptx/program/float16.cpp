#include "float16.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

/// Whether a magnitude of `below` whole units and a rest is rounded away from zero.
bool rounds_away(double below, double rest, bool negative, Rounding rounding) {
  switch (rounding) {
    case Rounding::nearest:
      return rest > 0.5 || (rest == 0.5 && std::fmod(below, 2) != 0);
    case Rounding::away:
      return rest >= 0.5;
    case Rounding::down:
      return negative && rest > 0;
    case Rounding::up:
      return !negative && rest > 0;
    default:
      return false;
  }
}

/// Rounds `magnitude`, which is at least one unit in the last place, to a whole number of units.
double round_units(double magnitude, bool negative, Rounding rounding) {
  const double below = std::floor(magnitude);
  return rounds_away(below, magnitude - below, negative, rounding) ? below + 1 : below;
}

/// Rounds to a 16-bit format with this many fraction bits and this exponent bias.
std::uint16_t narrow(double value, int fraction_bits, int bias, Rounding rounding) {
  if (std::isnan(value)) return 0x7fff;
  const bool negative = std::signbit(value);
  const auto sign = static_cast<std::uint16_t>(negative ? 0x8000 : 0);
  const auto infinity = static_cast<std::uint16_t>((2 * bias + 1) << fraction_bits);
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | infinity);
  int exponent = std::ilogb(magnitude);
  if (exponent < 1 - bias) exponent = 1 - bias;  // subnormal
  const double units =
      round_units(std::ldexp(magnitude, fraction_bits - exponent), negative, rounding);
  // A carry out of the fraction correctly increments the exponent.
  const long biased = static_cast<long>(exponent + bias - 1) << fraction_bits;
  const long bits = biased + static_cast<long>(units);
  if (bits < infinity) return static_cast<std::uint16_t>(sign | bits);
  const bool stays_finite = rounding == Rounding::zero ||
                            (rounding == Rounding::down && !negative) ||
                            (rounding == Rounding::up && negative);
  return static_cast<std::uint16_t>(sign | (stays_finite ? infinity - 1 : infinity));
}

}  // namespace

double widen(Half value) {
  const int exponent = value.bits >> 10 & 0x1f;
  const int fraction = value.bits & 0x3ff;
  double magnitude = 0;
  if (exponent == 0x1f) {
    magnitude = fraction == 0 ? HUGE_VAL : std::nan("");
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, -24);
  } else {
    magnitude = std::ldexp(fraction + 0x400, exponent - 25);
  }
  return value.bits & 0x8000 ? -magnitude : magnitude;
}

Half to_half(double value, Rounding rounding) { return {narrow(value, 10, 15, rounding)}; }

BrainFloat to_brain_float(double value, Rounding rounding) {
  return {narrow(value, 7, 127, rounding)};
}

}  // namespace array_interface::cuda_simulator::ptx
