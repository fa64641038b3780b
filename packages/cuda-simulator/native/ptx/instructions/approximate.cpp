#include "families.hpp"
#include "ptx/decode/decoder.hpp"
#include "ptx/run/thread.hpp"
#include "real.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

// Functions whose results devices only approximate. Here they are exact, or as accurate as the
// host's math library, so the last bits may differ from a device's.

double reciprocal(double a) { return 1 / a; }
double root(double a) { return std::sqrt(a); }
double reciprocal_root(double a) { return 1 / std::sqrt(a); }
double sine(double a) { return std::sin(a); }
double cosine(double a) { return std::cos(a); }
double logarithm(double a) { return std::log2(a); }
double power(double a) { return std::exp2(a); }
double hyperbolic_tangent(double a) { return std::tanh(a); }

template <class T, double function(double)>
void approximate(Thread& thread, const Instruction& i) {
  const auto a = flushed<T>(computed(thread.get<T>(i.slots[1])), i.flush);
  const auto value = static_cast<Computed<T>>(function(a));
  thread.put<T>(i.slots[0], stored<T>(flushed<T>(value, i.flush)));
}

/// For a double, only the upper half of the operand counts, and only that of the result is set.
template <double function(double)>
void approximate_upper_half(Thread& thread, const Instruction& i) {
  constexpr std::uint64_t upper = 0xffffffff00000000;
  const auto a = bits_as<double>(thread.get<std::uint64_t>(i.slots[1]) & upper);
  const double value = flushed<double>(function(flushed<double>(a, true)), true);
  thread.put<std::uint64_t>(i.slots[0], bits_as<std::uint64_t>(value) & upper);
}

template <double function(double)>
Instruction::Execute of(Type type, bool has_double) {
  if (type == Type::f64) return has_double ? &approximate_upper_half<function> : nullptr;
  return for_floats(type, [](auto tag) -> Instruction::Execute {
    return &approximate<Of<decltype(tag)>, function>;
  });
}

Instruction::Execute find_function(const Decoder& decoder, Type type) {
  if (decoder.is("rcp")) return of<reciprocal>(type, true);
  if (decoder.is("rsqrt")) return of<reciprocal_root>(type, true);
  if (decoder.is("sqrt")) return of<root>(type, false);
  if (decoder.is("sin")) return of<sine>(type, false);
  if (decoder.is("cos")) return of<cosine>(type, false);
  if (decoder.is("lg2")) return of<logarithm>(type, false);
  if (decoder.is("ex2")) return of<power>(type, false);
  return of<hyperbolic_tangent>(type, false);
}

}  // namespace

bool decode_approximate(Decoder& decoder, Instruction& i) {
  if (!decoder.is_one_of({"rcp", "rsqrt", "sqrt", "sin", "cos", "lg2", "ex2", "tanh"}))
    return false;
  decoder.require_operands(2);
  if (!decoder.take("approx")) return false;
  i.flush = decoder.take("ftz");
  const Type type = decoder.take_operands(i);
  return decoder.set(i, find_function(decoder, type));
}

}  // namespace array_interface::cuda_simulator::ptx
