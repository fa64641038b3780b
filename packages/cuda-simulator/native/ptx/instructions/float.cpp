#include "families.hpp"
#include "ptx/decode/decoder.hpp"
#include "ptx/run/thread.hpp"
#include "real.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

template <class T>
Computed<T> operand(const Thread& thread, const Instruction& i, std::size_t index) {
  return flushed<T>(computed(thread.get<T>(i.slots[index])), i.flush);
}

template <class T>
void result(Thread& thread, const Instruction& i, Computed<T> value) {
  value = flushed<T>(value, i.flush);
  thread.put<T>(i.slots[0], stored<T>(i.saturate ? saturated(value) : value));
}

struct Add {
  template <class Real>
  static Real of(Real a, Real b, Real) {
    return a + b;
  }
};
struct Subtract {
  template <class Real>
  static Real of(Real a, Real b, Real) {
    return a - b;
  }
};
struct Multiply {
  template <class Real>
  static Real of(Real a, Real b, Real) {
    return a * b;
  }
};
struct MultiplyAdd {
  template <class Real>
  static Real of(Real a, Real b, Real c) {
    return std::fma(a, b, c);
  }
};
struct Divide {
  template <class Real>
  static Real of(Real a, Real b, Real) {
    return a / b;
  }
};
struct Reciprocal {
  template <class Real>
  static Real of(Real a, Real, Real) {
    return 1 / a;
  }
};
struct Root {
  template <class Real>
  static Real of(Real a, Real, Real) {
    return std::sqrt(a);
  }
};

/// For 16 bits: products are exact in a double, and sums are prepared for a second rounding.
template <class Operation>
double exact(double a, double b, double c) {
  if constexpr (std::is_same_v<Operation, Add>) return odd_sum(a, b);
  if constexpr (std::is_same_v<Operation, Subtract>) return odd_sum(a, -b);
  if constexpr (std::is_same_v<Operation, MultiplyAdd>) return odd_sum(a * b, c);
  return Operation::of(a, b, c);
}

template <class T, class Operation, unsigned inputs>
void compute(Thread& thread, const Instruction& i) {
  using Real = Computed<T>;
  const Real a = operand<T>(thread, i, 1);
  const Real b = inputs > 1 ? operand<T>(thread, i, 2) : Real{0};
  const Real c = inputs > 2 ? operand<T>(thread, i, 3) : Real{0};
  if constexpr (sizeof(T) == 2) {
    result<T>(thread, i, exact<Operation>(a, b, c));
  } else {
    const auto operation = [](Real x, Real y, Real z) { return Operation::of(x, y, z); };
    result<T>(thread, i, rounded<Real>(i.rounding, operation, a, b, c));
  }
}

/// Returns the number if the other operand is NaN, except with .NaN (`negated`). -0 is less than
/// +0.
template <class T, bool maximum>
void choose(Thread& thread, const Instruction& i) {
  using Real = Computed<T>;
  const Real a = operand<T>(thread, i, 1);
  const Real b = operand<T>(thread, i, 2);
  const bool any_nan = std::isnan(a) || std::isnan(b);
  if (any_nan && (i.negated || (std::isnan(a) && std::isnan(b)))) {
    return thread.put<T>(i.slots[0], canonical_nan<T>());
  }
  const bool b_is_less = b < a || (a == b && std::signbit(b) && !std::signbit(a));
  const Real chosen = std::isnan(a) ? b : std::isnan(b) ? a : b_is_less == maximum ? a : b;
  thread.put<T>(i.slots[0], stored<T>(chosen));
}

/// Changes only the sign, even of NaN. .ftz flushes.
template <class T, bool absolute>
void change_sign(Thread& thread, const Instruction& i) {
  using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
  constexpr auto sign = static_cast<Bits>(Bits{1} << (sizeof(T) * 8 - 1));
  auto bits = thread.get<Bits>(i.slots[1]);
  const Computed<T> value = computed(thread.get<T>(i.slots[1]));
  if (i.flush && flushed<T>(value, true) == 0) bits &= sign;
  thread.put<Bits>(i.slots[0], static_cast<Bits>(absolute ? bits & ~sign : bits ^ sign));
}

/// Returns b with the sign of a.
template <class Bits>
void copy_sign(Thread& thread, const Instruction& i) {
  constexpr Bits sign = Bits{1} << (sizeof(Bits) * 8 - 1);
  const auto a = thread.get<Bits>(i.slots[1]);
  const auto b = thread.get<Bits>(i.slots[2]);
  thread.put<Bits>(i.slots[0], (a & sign) | (b & ~sign));
}

template <class Operation, unsigned inputs>
Instruction::Execute compute_of(Type type) {
  return for_floats(type, [](auto tag) -> Instruction::Execute {
    return &compute<Of<decltype(tag)>, Operation, inputs>;
  });
}

/// Takes .rnd, .ftz, .sat and the type, in this order, all but the type optional. Then sets the
/// operands.
Type take_operands(Decoder& decoder, Instruction& i) {
  decoder.take_rounding(i.rounding);
  i.flush = decoder.take("ftz");
  i.saturate = decoder.take("sat");
  return decoder.take_operands(i);
}

bool decode_sum(Decoder& decoder, Instruction& i) {
  decoder.require_operands(3);
  const Type type = take_operands(decoder, i);
  return decoder.set(i, decoder.is("add")   ? compute_of<Add, 2>(type)
                        : decoder.is("sub") ? compute_of<Subtract, 2>(type)
                                            : compute_of<Multiply, 2>(type));
}

bool decode_multiply_add(Decoder& decoder, Instruction& i) {
  decoder.require_operands(4);
  const Type type = take_operands(decoder, i);
  return decoder.set(i, compute_of<MultiplyAdd, 3>(type));
}

/// Approximate quotients are exact here, which exceeds the required accuracy.
bool decode_quotient(Decoder& decoder, Instruction& i) {
  decoder.require_operands(3);
  if (!decoder.take("approx")) decoder.take("full");
  const Type type = take_operands(decoder, i);
  if (size_of(type) == 2) return false;
  return decoder.set(i, compute_of<Divide, 2>(type));
}

/// rcp and sqrt, rounded. decode_approximate handles the others.
bool decode_rounded(Decoder& decoder, Instruction& i) {
  if (decoder.has("approx")) return false;
  decoder.require_operands(2);
  if (!decoder.take_rounding(i.rounding)) return false;
  const Type type = take_operands(decoder, i);
  if (size_of(type) == 2) return false;
  return decoder.set(
      i, decoder.is("rcp") ? compute_of<Reciprocal, 1>(type) : compute_of<Root, 1>(type));
}

bool decode_choice(Decoder& decoder, Instruction& i) {
  decoder.require_operands(3);
  i.negated = decoder.take("NaN");
  i.flush = decoder.take("ftz");
  const Type type = decoder.take_operands(i);
  const bool maximum = decoder.is("max");
  return decoder.set(i, for_floats(type, [maximum](auto tag) -> Instruction::Execute {
                       using T = Of<decltype(tag)>;
                       return maximum ? &choose<T, true> : &choose<T, false>;
                     }));
}

bool decode_sign(Decoder& decoder, Instruction& i) {
  decoder.require_operands(2);
  i.flush = decoder.take("ftz");
  const Type type = decoder.take_operands(i);
  const bool absolute = decoder.is("abs");
  return decoder.set(i, for_floats(type, [absolute](auto tag) -> Instruction::Execute {
                       using T = Of<decltype(tag)>;
                       return absolute ? &change_sign<T, true> : &change_sign<T, false>;
                     }));
}

}  // namespace

bool decode_float(Decoder& decoder, Instruction& i) {
  if (!is_float(decoder.peek_type())) return false;
  if (decoder.is_one_of({"add", "sub", "mul"})) return decode_sum(decoder, i);
  if (decoder.is_one_of({"fma", "mad"})) return decode_multiply_add(decoder, i);
  if (decoder.is("div")) return decode_quotient(decoder, i);
  if (decoder.is_one_of({"rcp", "sqrt"})) return decode_rounded(decoder, i);
  if (decoder.is_one_of({"min", "max"})) return decode_choice(decoder, i);
  if (decoder.is_one_of({"abs", "neg"})) return decode_sign(decoder, i);
  if (!decoder.is("copysign")) return false;
  decoder.require_operands(3);
  const Type type = decoder.take_operands(i);
  return decoder.set(i, type == Type::f32   ? &copy_sign<std::uint32_t>
                        : type == Type::f64 ? &copy_sign<std::uint64_t>
                                            : nullptr);
}

}  // namespace array_interface::cuda_simulator::ptx
