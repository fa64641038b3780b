#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "test/support/check.hpp"

/// Returns the exact value of a half with these bits, which must be finite and not negative. For
/// 0x7c00, returns the next value after the largest half, as if there were no infinity.
inline double number_of_half(std::uint16_t bits) {
  const int exponent = bits >> 10;
  const int digits = bits & 0x3ff;
  return exponent == 0 ? std::ldexp(digits, -24) : std::ldexp(1024 + digits, exponent - 25);
}

/// Checks that doubles at and next to each half, and at and next to the midpoint between each two,
/// are rounded once, to the nearest, ties to even. Rounding through a float would turn some of them
/// into ties. `round` returns the bits of the half for a double.
template <typename Round>
void check_halves(const char* of, Round&& round) {
  const auto expect = [&](double value, std::uint16_t bits) {
    if (round(value) == bits && round(-value) == (bits | 0x8000)) return;
    const Subject named(std::string(of) + ": " + std::to_string(value) + " as a half");
    CHECK(round(value) == bits && round(-value) == (bits | 0x8000));
  };
  for (std::uint16_t low = 0; low < 0x7c00; ++low) {
    const std::uint16_t high = low + 1;
    const double middle = (number_of_half(low) + number_of_half(high)) / 2;
    expect(number_of_half(low), low);
    expect(std::nextafter(number_of_half(low), number_of_half(high)), low);
    expect(std::nextafter(middle, 0.0), low);
    expect(middle, low % 2 == 0 ? low : high);
    expect(std::nextafter(middle, HUGE_VAL), high);
    expect(std::nextafter(number_of_half(high), 0.0), high);
  }
  CHECK(number_of_half(0x3c00) == 1.0);
}
