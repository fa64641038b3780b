#include <cmath>
#include <limits>

#include "program.hpp"

using namespace test;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan_32 = std::numeric_limits<float>::quiet_NaN();
constexpr float tiny = std::numeric_limits<float>::denorm_min();
constexpr std::uint64_t canonical = 0x7fffffff;

std::uint64_t single(const std::string& opcode, float a, float b) {
  return calculate(opcode, 32, {bits_of(a), bits_of(b)});
}

std::uint64_t single(const std::string& opcode, float a) {
  return calculate(opcode, 32, {bits_of(a)});
}

std::uint64_t real(const std::string& opcode, double a, double b) {
  return calculate(opcode, 64, {bits_of(a), bits_of(b)});
}

}  // namespace

CASE("ptx float: rounding in every direction") {
  use_device();
  const float third = 1.0f / 3;  // slightly more than 1/3
  EQUAL(single("div.rn.f32", 1, 3), bits_of(third));
  EQUAL(single("div.rz.f32", 1, 3), bits_of(std::nextafter(third, 0.0f)));
  EQUAL(single("div.rm.f32", -1, 3), bits_of(-third));
  EQUAL(single("div.rp.f32", -1, 3), bits_of(-std::nextafter(third, 0.0f)));
  EQUAL(single("add.rp.f32", 1, 1e-20f), bits_of(std::nextafter(1.0f, 2.0f)));
  EQUAL(single("add.f32", 1, 1e-20f), bits_of(1.0f));
  EQUAL(single("sub.rm.f32", 1, 1e-20f), bits_of(std::nextafter(1.0f, 0.0f)));
  EQUAL(single("mul.rz.f32", 3e38f, 10), bits_of(std::numeric_limits<float>::max()));
  EQUAL(single("sqrt.rn.f32", 2), bits_of(std::sqrt(2.0f)));
  EQUAL(single("rcp.rn.f32", 3), bits_of(third));
  EQUAL(real("add.rm.f64", 1, 1e-30), bits_of(1.0));
  EQUAL(real("add.rp.f64", 1, 1e-30), bits_of(std::nextafter(1.0, 2.0)));
  EQUAL(real("mul.rn.f64", 0.1, 0.1), bits_of(0.1 * 0.1));
  const std::vector<unsigned> three{64, 64, 64};
  EQUAL(calculate("fma.rn.f64", 64, three, {bits_of(0.1), bits_of(10.0), bits_of(-1.0)}),
        bits_of(std::fma(0.1, 10.0, -1.0)));
  EQUAL(calculate("fma.rz.f32", 32, {bits_of(third), bits_of(3.0f), bits_of(-1.0f)}),
        bits_of(std::fma(third, 3.0f, -1.0f)));
}

CASE("ptx float: NaN is canonical, subnormals are flushed and results saturated where asked") {
  use_device();
  EQUAL(single("add.f32", infinity, -infinity), canonical);
  EQUAL(single("mul.f32", nan_32, 1), canonical);
  EQUAL(single("mul.f32", tiny, 2), bits_of(tiny * 2));
  EQUAL(single("mul.ftz.f32", -tiny, 2), bits_of(-0.0f));
  EQUAL(single("mul.ftz.f32", 1e-30f, 1e-10f), 0u);
  EQUAL(single("add.sat.f32", 0.75f, 0.75f), bits_of(1.0f));
  EQUAL(single("add.sat.f32", -3, 1), 0u);
  EQUAL(single("mul.sat.f32", infinity, 0), 0u);
  EQUAL(single("abs.f32", -tiny), bits_of(tiny));
  EQUAL(single("abs.ftz.f32", -tiny), 0u);
  EQUAL(single("neg.f32", nan_32), bits_of(-nan_32));
  EQUAL(single("copysign.f32", -1, 5), bits_of(-5.0f));
  EQUAL(real("copysign.f64", 1, -5), bits_of(5.0));
}

CASE("ptx float: the lesser and the greater of two, with NaN and signed zeros") {
  use_device();
  EQUAL(single("min.f32", nan_32, 2), bits_of(2.0f));
  EQUAL(single("max.f32", 2, nan_32), bits_of(2.0f));
  EQUAL(single("min.f32", nan_32, nan_32), canonical);
  EQUAL(single("max.NaN.f32", 2, nan_32), canonical);
  EQUAL(single("min.f32", 0.0f, -0.0f), bits_of(-0.0f));
  EQUAL(single("max.f32", -0.0f, 0.0f), bits_of(0.0f));
  EQUAL(single("min.f32", -0.0f, 0.0f), bits_of(-0.0f));
  EQUAL(real("min.f64", -1, 3), bits_of(-1.0));
  EQUAL(real("max.f64", -1, 3), bits_of(3.0));
}

CASE("ptx float: what devices approximate is close") {
  use_device();
  const auto near = [](const std::string& opcode, float a, double wanted) {
    const auto got = as_bits<float>(static_cast<std::uint32_t>(single(opcode, a)));
    CHECK(std::fabs(got - wanted) <= 1e-6 * std::fabs(wanted) + 1e-6);
  };
  near("sin.approx.f32", 0.5f, std::sin(0.5));
  near("cos.approx.ftz.f32", 0.5f, std::cos(0.5));
  near("lg2.approx.f32", 10, std::log2(10.0));
  near("ex2.approx.ftz.f32", 3.5f, std::exp2(3.5));
  near("tanh.approx.f32", 0.25f, std::tanh(0.25));
  near("rsqrt.approx.f32", 3, 1 / std::sqrt(3.0));
  near("sqrt.approx.ftz.f32", 3, std::sqrt(3.0));
  near("rcp.approx.ftz.f32", 3, 1 / 3.0);
  EQUAL(single("rcp.approx.f32", 0), bits_of(infinity));
  EQUAL(single("div.approx.f32", 1, 4), bits_of(0.25f));
  EQUAL(single("div.full.f32", 1, 4), bits_of(0.25f));
  const std::uint64_t half = calculate("rcp.approx.ftz.f64", 64, {bits_of(3.0)});
  EQUAL(half & 0xffffffff, 0u);
  EQUAL(half >> 32, bits_of(1 / 3.0) >> 32);
}

CASE("ptx float: 16 bits are computed exactly and rounded once") {
  use_device();
  // 1 + 2^-11 is midway between two halves: it rounds to the even one, unless something more is
  // added.
  const std::uint64_t one = 0x3c00;
  const std::uint64_t half_unit = 0x1000;  // 2^-11
  EQUAL(calculate("add.f16", 16, {one, half_unit}), one);
  EQUAL(calculate("add.f16", 16, {one, half_unit + 1}), one + 1);
  EQUAL(calculate("mul.f16", 16, {0x7bff, 0x4000}), 0x7c00u);  // overflows
  EQUAL(calculate("sub.f16", 16, {0x7c00, 0x7c00}), 0x7fffu);
  EQUAL(calculate("fma.rn.f16", 16, {one, one, 0x0001}), one);
  // (1 + 2^-10) * 2^-11 + 1 is slightly above the midpoint between 1 and its neighbour.
  EQUAL(calculate("fma.rn.f16", 16, {one + 1, half_unit, one}), one + 1);
  EQUAL(calculate("neg.f16", 16, {one}), 0xbc00u);
  EQUAL(calculate("abs.f16", 16, {0xbc00}), one);
  EQUAL(calculate("add.bf16", 16, {0x3f80, 0x3b80}), 0x3f80u);  // 1 + 2^-8
  EQUAL(calculate("max.f16", 16, {0x7e00, one}), one);
}
