#pragma once

#include <cmath>
#include <cstdint>

#include "base/bits.hpp"

namespace array_interface::cuda_simulator::ptx {

/// IEEE half precision.
struct Half {
  std::uint16_t bits;
};

/// bfloat16: the upper half of a single.
struct BrainFloat {
  std::uint16_t bits;
};

enum class Rounding : std::uint8_t { nearest, zero, down, up, away };

/// Exact.
double widen(Half value);
inline double widen(BrainFloat value) {
  return bits_as<float>(static_cast<std::uint32_t>(value.bits) << 16);
}
inline double widen(float value) { return value; }
inline double widen(double value) { return value; }

/// Rounds `value` once. NaN becomes 0x7fff. Overflow becomes infinity or the largest number,
/// depending on `rounding`.
Half to_half(double value, Rounding rounding = Rounding::nearest);
BrainFloat to_brain_float(double value, Rounding rounding = Rounding::nearest);

}  // namespace array_interface::cuda_simulator::ptx
