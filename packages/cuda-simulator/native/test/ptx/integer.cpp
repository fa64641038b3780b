#include "program.hpp"

using namespace test;

namespace {

constexpr std::uint64_t ones_16 = 0xffff;
constexpr std::uint64_t ones_32 = 0xffffffff;
constexpr std::uint64_t ones_64 = ~std::uint64_t{0};
constexpr std::uint64_t top_32 = 0x80000000;
constexpr std::uint64_t top_64 = std::uint64_t{1} << 63;

}  // namespace

CASE("ptx integer: sums and differences wrap, or saturate where asked to") {
  use_device();
  EQUAL(calculate("add.s32", 32, {0x7fffffff, 1}), top_32);
  EQUAL(calculate("add.sat.s32", 32, {0x7fffffff, 1}), 0x7fffffffu);
  EQUAL(calculate("sub.sat.s32", 32, {top_32, 1}), top_32);
  EQUAL(calculate("add.u16", 16, {ones_16, 2}), 1u);
  EQUAL(calculate("sub.u64", 64, {0, 1}), ones_64);
  EQUAL(calculate("neg.s32", 32, {top_32}), top_32);
  EQUAL(calculate("abs.s64", 64, {ones_64}), 1u);
  EQUAL(calculate("abs.s16", 16, {0x8000}), 0x8000u);
  EQUAL(calculate("sad.s32", 32, {5, ones_32 - 2, 100}), 108u);
  EQUAL(calculate("sad.u32", 32, {5, ones_32 - 2, 0}), ones_32 - 7);
}

CASE("ptx integer: products, their halves, and wide ones") {
  use_device();
  EQUAL(calculate("mul.lo.s32", 32, {ones_32, ones_32}), 1u);
  EQUAL(calculate("mul.hi.s32", 32, {ones_32, ones_32}), 0u);
  EQUAL(calculate("mul.hi.u32", 32, {ones_32, ones_32}), ones_32 - 1);
  EQUAL(calculate("mul.hi.u64", 64, {ones_64, ones_64}), ones_64 - 1);
  EQUAL(calculate("mul.hi.s64", 64, {ones_64, 5}), ones_64);
  EQUAL(calculate("mul.lo.u16", 16, {0x1234, 0x100}), 0x3400u);
  EQUAL(calculate("mul.wide.s32", 64, {32, 32}, {ones_32, 3}), ones_64 - 2);
  EQUAL(calculate("mul.wide.u32", 64, {32, 32}, {ones_32, 3}), ones_32 * 3);
  EQUAL(calculate("mul.wide.s16", 32, {16, 16}, {0x8000, 2}), 0xffff0000u);
  EQUAL(calculate("mad.lo.s32", 32, {7, 6, ones_32}), 41u);
  EQUAL(calculate("mad.hi.u32", 32, {top_32, 4, 9}), 11u);
  EQUAL(calculate("mad.wide.u32", 64, {32, 32, 64}, {ones_32, ones_32, 1}), 0xfffffffe00000002u);
  EQUAL(calculate("mul24.lo.u32", 32, {0xff000003, 0x01000005}), 15u);
  EQUAL(calculate("mul24.hi.s32", 32, {0x00ffffff, 0x00010000}), ones_32);
  EQUAL(calculate("mad24.lo.s32", 32, {0x00ffffff, 5, 7}), 2u);
}

CASE("ptx integer: quotients, also by zero and of the lowest by -1") {
  use_device();
  EQUAL(calculate("div.s32", 32, {static_cast<std::uint32_t>(-7), 2}), ones_32 - 2);
  EQUAL(calculate("rem.s32", 32, {static_cast<std::uint32_t>(-7), 2}), ones_32);
  EQUAL(calculate("div.s32", 32, {top_32, ones_32}), top_32);
  EQUAL(calculate("rem.s32", 32, {top_32, ones_32}), 0u);
  EQUAL(calculate("div.s64", 64, {top_64, ones_64}), top_64);
  EQUAL(calculate("rem.s64", 64, {top_64, ones_64}), 0u);
  EQUAL(calculate("div.u64", 64, {ones_64, 10}), ones_64 / 10);
  EQUAL(calculate("div.u32", 32, {5, 0}), ones_32);
  EQUAL(calculate("rem.u32", 32, {5, 0}), 5u);
  EQUAL(calculate("div.s16", 16, {0x8000, ones_16}), 0x8000u);
}

CASE("ptx integer: least and greatest go by the sign of the type") {
  use_device();
  EQUAL(calculate("min.s32", 32, {ones_32, 1}), ones_32);
  EQUAL(calculate("min.u32", 32, {ones_32, 1}), 1u);
  EQUAL(calculate("max.s64", 64, {ones_64, 1}), 1u);
  EQUAL(calculate("max.u16", 16, {ones_16, 1}), ones_16);
}

CASE("ptx integer: carries go from one instruction to the next") {
  use_device();
  const Words sum = evaluate(R"(
  add.cc.u64 %o0, %in0, %in2;
  addc.u64 %o1, %in1, %in3;
  sub.cc.u64 %o2, %in2, %in0;
  subc.u64 %o3, %in3, %in1;
)",
                             {ones_64, 1, 1, 5});
  EQUAL(sum[0], 0u);
  EQUAL(sum[1], 7u);
  EQUAL(sum[2], 2u);
  EQUAL(sum[3], 3u);
  const Words product = evaluate(R"(
  cvt.u32.u64 %r0, %in0;
  mad.lo.cc.u32 %r1, %r0, %r0, 0xffffffff;
  madc.hi.u32 %r2, %r0, %r0, 0;
  cvt.u64.u32 %o0, %r1;
  cvt.u64.u32 %o1, %r2;
)",
                                 {ones_32});
  const std::uint64_t whole = ones_32 * ones_32 + ones_32;
  EQUAL(product[0], whole & ones_32);
  EQUAL(product[1], whole >> 32);
}
