#include <algorithm>
#include <limits>

#include "families.hpp"
#include "ptx/decode/decoder.hpp"
#include "ptx/run/thread.hpp"
#include "real.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

/// Saturates out-of-range numbers: with .sat, and always when converting from floats.
template <class To, class From>
void integer_to_integer(Thread& thread, const Instruction& i) {
  __extension__ using Wide = __int128;
  auto value = Wide{thread.get<From>(i.slots[1])};
  if (i.saturate) {
    value = std::min<Wide>(std::max<Wide>(value, std::numeric_limits<To>::min()),
                           std::numeric_limits<To>::max());
  }
  thread.put<To>(i.slots[0], static_cast<To>(value));
}

template <class Real>
Real round_to_integral(Real value, Rounding rounding) {
  switch (rounding) {
    case Rounding::nearest:
      return std::nearbyint(value);
    case Rounding::zero:
      return std::trunc(value);
    case Rounding::down:
      return std::floor(value);
    case Rounding::up:
      return std::ceil(value);
    case Rounding::away:
      return std::round(value);
  }
  return value;
}

/// NaN becomes 0. If a 64-bit type is involved, it becomes the lowest number; for unsigned types,
/// the middle.
template <class To, class From>
To integer_for_nan() {
  const bool zero = sizeof(From) < 8 && sizeof(To) < 8;
  return zero ? To{0} : static_cast<To>(std::uint64_t{1} << (sizeof(To) * 8 - 1));
}

template <class To, class From>
void float_to_integer(Thread& thread, const Instruction& i) {
  const auto value = flushed<From>(computed(thread.get<From>(i.slots[1])), i.flush);
  if (std::isnan(value)) return thread.put<To>(i.slots[0], integer_for_nan<To, From>());
  const double whole = round_to_integral(static_cast<double>(value), i.rounding);
  // 2^digits is exact in a double; the largest number itself may not be.
  const double beyond = std::ldexp(1.0, std::numeric_limits<To>::digits);
  const double lowest = std::numeric_limits<To>::is_signed ? -beyond : 0;
  To result = std::numeric_limits<To>::max();
  if (whole < lowest) {
    result = std::numeric_limits<To>::min();
  } else if (whole < beyond) {
    result = static_cast<To>(whole);
  }
  thread.put<To>(i.slots[0], result);
}

template <class To, class From>
void integer_to_float(Thread& thread, const Instruction& i) {
  const volatile From value = thread.get<From>(i.slots[1]);
  if constexpr (sizeof(To) == 2) {
    // Beyond 53 bits the last bit records all lost digits, so that rounding twice equals rounding
    // once.
    __extension__ using Wide = __int128;
    const auto whole = Wide{value};
    const bool loses = sizeof(From) == 8 && static_cast<Wide>(static_cast<double>(whole)) != whole;
    const double kept = loses ? odd_sum(static_cast<double>(whole >> 32) * 0x1p32,
                                        static_cast<double>(whole & 0xffffffff))
                              : static_cast<double>(whole);
    if constexpr (std::is_same_v<To, Half>) thread.put<To>(i.slots[0], to_half(kept, i.rounding));
    if constexpr (std::is_same_v<To, BrainFloat>)
      thread.put<To>(i.slots[0], to_brain_float(kept, i.rounding));
  } else {
    volatile To result = 0;
    {
      const RoundingScope scope(i.rounding);
      result = static_cast<To>(value);
    }
    thread.put<To>(i.slots[0], i.saturate ? saturated<To>(result) : result);
  }
}

/// Narrows a value with one rounding.
template <class To>
To narrowed(double value, Rounding rounding) {
  if constexpr (std::is_same_v<To, Half>) return to_half(value, rounding);
  if constexpr (std::is_same_v<To, BrainFloat>) return to_brain_float(value, rounding);
  if constexpr (std::is_same_v<To, double>) return value;
  if constexpr (std::is_same_v<To, float>) {
    if (std::isnan(value)) return canonical_nan<float>();
    volatile double from = value;
    const RoundingScope scope(rounding);
    volatile float result = static_cast<float>(from);
    return result;
  }
}

/// mode 1: rounds to a whole number. `negated` is .relu: negative numbers become 0.
template <class To, class From>
void float_to_float(Thread& thread, const Instruction& i) {
  double value = widen(thread.get<From>(i.slots[1]));
  if (i.flush && sizeof(From) == 4) value = flushed<float>(static_cast<float>(value), true);
  if (i.mode == 1) value = round_to_integral(value, i.rounding);
  if (i.saturate) value = saturated(value);
  if (i.negated && value < 0) value = 0;
  To result = narrowed<To>(value, i.rounding);
  if constexpr (std::is_same_v<To, float>) result = flushed<float>(result, i.flush);
  thread.put<To>(i.slots[0], result);
}

/// Packs two floats into the halves of a register, the first one in the upper half.
template <class To>
void pack_halves(Thread& thread, const Instruction& i) {
  const auto half = [&](Slot slot) -> std::uint32_t {
    double value = thread.get<float>(slot);
    if (i.negated && value < 0) value = 0;
    return narrowed<To>(value, i.rounding).bits;
  };
  thread.put<std::uint32_t>(i.slots[0], half(i.slots[1]) << 16 | half(i.slots[2]));
}

Instruction::Execute find_conversion(Type to, Type from) {
  return for_numbers(to, [from](auto to_tag) -> Instruction::Execute {
    return for_numbers(from, [](auto from_tag) -> Instruction::Execute {
      using To = Of<decltype(decltype(to_tag){})>;
      using From = Of<decltype(from_tag)>;
      constexpr bool to_integer = std::is_integral_v<To>;
      constexpr bool from_integer = std::is_integral_v<From>;
      if constexpr (to_integer && from_integer) return &integer_to_integer<To, From>;
      if constexpr (to_integer && !from_integer) return &float_to_integer<To, From>;
      if constexpr (!to_integer && from_integer) return &integer_to_float<To, From>;
      if constexpr (!to_integer && !from_integer) return &float_to_float<To, From>;
      return nullptr;
    });
  });
}

bool take_integral_rounding(Decoder& decoder, Instruction& i) {
  return decoder.take_rounding(i.rounding, {{"rni", Rounding::nearest},
                                            {"rzi", Rounding::zero},
                                            {"rmi", Rounding::down},
                                            {"rpi", Rounding::up}});
}

bool decode_packing(Decoder& decoder, Instruction& i, Type to) {
  decoder.require_operands(3);
  const Type from = decoder.take_operands(i);
  if (from != Type::f32) return false;
  return decoder.set(i, to == Type::f16x2 ? &pack_halves<Half> : &pack_halves<BrainFloat>);
}

}  // namespace

bool decode_convert(Decoder& decoder, Instruction& i) {
  if (!decoder.is("cvt")) return false;
  i.mode = take_integral_rounding(decoder, i) ? 1 : 0;
  if (i.mode == 0) decoder.take_rounding(i.rounding);
  i.flush = decoder.take("ftz");
  i.saturate = decoder.take("sat");
  i.negated = decoder.take("relu");
  const Type to = decoder.take_type();
  if (to == Type::f16x2 || to == Type::bf16x2) return decode_packing(decoder, i, to);
  decoder.require_operands(2);
  const Type from = decoder.take_operands(i);
  return decoder.set(i, find_conversion(to, from));
}

}  // namespace array_interface::cuda_simulator::ptx
