#include <cmath>
#include <limits>

#include "program.hpp"

using namespace test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan_64 = std::numeric_limits<double>::quiet_NaN();

std::uint64_t from_double(const std::string& opcode, unsigned bits, double value) {
  return calculate(opcode, bits, {64}, {bits_of(value)});
}

std::uint64_t from_float(const std::string& opcode, unsigned bits, float value) {
  return calculate(opcode, bits, {32}, {bits_of(value)});
}

}  // namespace

CASE("ptx convert: integers are extended, cut or clamped") {
  use_device();
  EQUAL(calculate("cvt.s64.s32", 64, {32}, {0x80000000}), 0xffffffff80000000u);
  EQUAL(calculate("cvt.u64.u32", 64, {32}, {0x80000000}), 0x80000000u);
  EQUAL(calculate("cvt.s32.s8", 32, {32}, {0x180}), 0xffffff80u);
  EQUAL(calculate("cvt.u32.u8", 32, {32}, {0x180}), 0x80u);
  EQUAL(calculate("cvt.s8.s32", 32, {32}, {0x1ff}), 0xffffffffu);
  EQUAL(calculate("cvt.u16.u64", 16, {64}, {0x12345678}), 0x5678u);
  EQUAL(calculate("cvt.sat.s8.s32", 32, {32}, {300}), 127u);
  EQUAL(calculate("cvt.sat.s8.s32", 32, {32}, {static_cast<std::uint32_t>(-300)}), 0xffffff80u);
  EQUAL(calculate("cvt.sat.u16.s32", 16, {32}, {0xffffffff}), 0u);
  EQUAL(calculate("cvt.sat.u8.u32", 32, {32}, {300}), 255u);
}

CASE("ptx convert: floats become whole numbers by each rounding, and stay in range") {
  use_device();
  EQUAL(from_double("cvt.rni.s32.f64", 32, 2.5), 2u);
  EQUAL(from_double("cvt.rni.s32.f64", 32, 3.5), 4u);
  EQUAL(from_double("cvt.rzi.s32.f64", 32, -2.9), static_cast<std::uint32_t>(-2));
  EQUAL(from_double("cvt.rmi.s32.f64", 32, -2.1), static_cast<std::uint32_t>(-3));
  EQUAL(from_double("cvt.rpi.s32.f64", 32, 2.1), 3u);
  EQUAL(from_double("cvt.rzi.s32.f64", 32, 1e20), 0x7fffffffu);
  EQUAL(from_double("cvt.rzi.s32.f64", 32, -infinity), 0x80000000u);
  EQUAL(from_double("cvt.rzi.u32.f64", 32, -5), 0u);
  EQUAL(from_double("cvt.rzi.u64.f64", 64, 18446744073709549568.0), 18446744073709549568u);
  EQUAL(from_double("cvt.rzi.u64.f64", 64, 18446744073709551616.0), ~std::uint64_t{0});
  EQUAL(from_double("cvt.rzi.s64.f64", 64, -9223372036854775808.0), std::uint64_t{1} << 63);
  EQUAL(from_float("cvt.rzi.u8.f32", 32, 300), 255u);
  EQUAL(from_float("cvt.rzi.s16.f32", 16, -40000), 0x8000u);
  EQUAL(from_float("cvt.rzi.s32.f32", 32, NAN), 0u);
  EQUAL(from_double("cvt.rzi.s32.f64", 32, nan_64), 0x80000000u);
  EQUAL(from_float("cvt.rzi.s64.f32", 64, NAN), std::uint64_t{1} << 63);
}

CASE("ptx convert: whole numbers become floats, rounded once") {
  use_device();
  const std::vector<unsigned> from_64{64};
  EQUAL(calculate("cvt.rn.f32.s32", 32, {32}, {16777217}), bits_of(16777216.0f));
  EQUAL(calculate("cvt.rp.f32.s32", 32, {32}, {16777217}), bits_of(16777218.0f));
  EQUAL(calculate("cvt.rz.f32.u64", 32, from_64, {~std::uint64_t{0}}),
        bits_of(std::nextafter(18446744073709551616.0f, 0.0f)));
  EQUAL(calculate("cvt.rn.f32.u64", 32, from_64, {~std::uint64_t{0}}),
        bits_of(18446744073709551616.0f));
  EQUAL(calculate("cvt.rn.f64.s64", 64, from_64, {~std::uint64_t{0}}), bits_of(-1.0));
  EQUAL(calculate("cvt.rn.f64.s16", 64, {16}, {0x8000}), bits_of(-32768.0));
  EQUAL(calculate("cvt.rn.f16.s32", 16, {32}, {2049}), 0x6800u);
  EQUAL(calculate("cvt.rn.f16.s32", 16, {32}, {2051}), 0x6802u);
  EQUAL(calculate("cvt.rn.f16.u32", 16, {32}, {65520}), 0x7c00u);
  EQUAL(calculate("cvt.rz.f16.u32", 16, {32}, {65520}), 0x7bffu);
}

CASE("ptx convert: floats become other floats") {
  use_device();
  EQUAL(from_float("cvt.f64.f32", 64, 0.1f), bits_of(static_cast<double>(0.1f)));
  EQUAL(from_double("cvt.rn.f32.f64", 32, 0.1), bits_of(0.1f));
  EQUAL(from_double("cvt.rz.f32.f64", 32, 1e300), bits_of(std::numeric_limits<float>::max()));
  EQUAL(from_double("cvt.rn.f32.f64", 32, 1e300), bits_of(std::numeric_limits<float>::infinity()));
  EQUAL(from_double("cvt.rn.f32.f64", 32, nan_64), 0x7fffffffu);
  EQUAL(from_double("cvt.rn.ftz.f32.f64", 32, 1e-40), 0u);
  EQUAL(from_float("cvt.rni.f32.f32", 32, 2.5f), bits_of(2.0f));
  EQUAL(from_float("cvt.rmi.f32.f32", 32, -0.5f), bits_of(-1.0f));
  EQUAL(from_float("cvt.sat.f32.f32", 32, 7), bits_of(1.0f));
  EQUAL(from_float("cvt.sat.f32.f32", 32, NAN), 0u);
  EQUAL(from_float("cvt.rn.f16.f32", 16, 65504), 0x7bffu);
  EQUAL(from_float("cvt.rn.f16.f32", 16, 5.9604645e-8f), 1u);  // the smallest half
  EQUAL(from_float("cvt.rn.f16.f32", 16, 2.9802322e-8f), 0u);  // half of it: rounds to even, zero
  EQUAL(from_float("cvt.rn.f16.f32", 16, 2.9802326e-8f), 1u);
  EQUAL(calculate("cvt.f32.f16", 32, {16}, {0x0001}), bits_of(5.9604645e-8f));
  EQUAL(calculate("cvt.f32.f16", 32, {16}, {0xfc00}),
        bits_of(-std::numeric_limits<float>::infinity()));
  EQUAL(from_float("cvt.rn.bf16.f32", 16, 1.00390625f), 0x3f80u);
  EQUAL(from_float("cvt.rz.bf16.f32", 16, 1.999f), 0x3fffu);
  const std::vector<unsigned> two{32, 32};
  EQUAL(calculate("cvt.rn.f16x2.f32", 32, two, {bits_of(1.0f), bits_of(2.0f)}), 0x3c004000u);
}
