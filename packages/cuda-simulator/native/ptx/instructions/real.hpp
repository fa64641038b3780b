#pragma once

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "ptx/program/float16.hpp"
#include "ptx/program/instruction.hpp"

namespace array_interface::cuda_simulator::ptx {

/// The type in which a floating-point type is computed. 16-bit types are computed exactly, and
/// rounded at the end.
template <class T>
using Computed = std::conditional_t<sizeof(T) == 2, double, T>;

template <class T>
Computed<T> computed(T value) {
  return static_cast<Computed<T>>(widen(value));
}

/// The NaN of devices. For a float and a half, all bits but the sign are set.
template <class T>
T canonical_nan() {
  if constexpr (sizeof(T) == 2) return T{0x7fff};
  if constexpr (sizeof(T) == 4) return bits_as<float>(std::uint32_t{0x7fffffff});
  if constexpr (sizeof(T) == 8) return bits_as<double>(std::uint64_t{0xfff8000000000000});
}

/// Returns the result of a computation, with NaN replaced by the single NaN of its type. A double
/// keeps its own NaN.
template <class T>
T stored(Computed<T> value) {
  if constexpr (std::is_same_v<T, Half>) return to_half(value);
  if constexpr (std::is_same_v<T, BrainFloat>) return to_brain_float(value);
  if constexpr (std::is_same_v<T, float>) return std::isnan(value) ? canonical_nan<float>() : value;
  if constexpr (std::is_same_v<T, double>) return value;
}

template <class T>
Computed<T> flushed(Computed<T> value, bool flush) {
  const bool subnormal = sizeof(T) == 2 ? std::fabs(value) < 0x1p-14 && std::is_same_v<T, Half>
                                        : std::fpclassify(value) == FP_SUBNORMAL;
  return flush && subnormal ? std::copysign(Computed<T>{0}, value) : value;
}

/// .sat: clamps to [0, 1]; NaN becomes 0.
template <class Real>
Real saturated(Real value) {
  return value > 1 ? Real{1} : value > 0 ? value : Real{0};
}

/// Sets the rounding mode until the end of the scope. Operands and results must be volatile
/// meanwhile, or the compiler moves the computation.
class RoundingScope {
 public:
  explicit RoundingScope(Rounding rounding) {
    std::fesetround(rounding == Rounding::zero   ? FE_TOWARDZERO
                    : rounding == Rounding::down ? FE_DOWNWARD
                    : rounding == Rounding::up   ? FE_UPWARD
                                                 : FE_TONEAREST);
  }
  ~RoundingScope() { std::fesetround(FE_TONEAREST); }
};

/// Returns operation(a, b, c) with the given rounding.
template <class Real, class Operation>
Real rounded(Rounding rounding, Operation operation, Real a, Real b, Real c = 0) {
  if (rounding == Rounding::nearest) return operation(a, b, c);
  volatile Real from[3] = {a, b, c};
  volatile Real result = 0;
  {
    const RoundingScope scope(rounding);
    result = operation(from[0], from[1], from[2]);
  }
  return result;
}

/// Returns a + b as a double whose last bit is set if the sum is not exact. So rounding it to 16
/// bits equals rounding once.
double odd_sum(double a, double b);

}  // namespace array_interface::cuda_simulator::ptx
