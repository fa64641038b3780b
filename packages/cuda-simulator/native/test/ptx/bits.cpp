#include "program.hpp"

using namespace test;

namespace {

constexpr std::uint64_t ones_32 = 0xffffffff;
constexpr std::uint64_t ones_64 = ~std::uint64_t{0};

}  // namespace

CASE("ptx bits: logic, of predicates too") {
  use_device();
  EQUAL(calculate("and.b32", 32, {12, 10}), 8u);
  EQUAL(calculate("or.b16", 16, {12, 10}), 14u);
  EQUAL(calculate("xor.b64", 64, {12, 10}), 6u);
  EQUAL(calculate("not.b32", 32, {1}), ones_32 - 1);
  EQUAL(calculate("cnot.b32", 32, {0}), 1u);
  EQUAL(calculate("and.pred", 1, {1, 0}), 0u);
  EQUAL(calculate("xor.pred", 1, {1, 1}), 0u);
  EQUAL(calculate("not.pred", 1, {0}), 1u);
}

CASE("ptx bits: shifts by the width or more leave zeros or the sign") {
  use_device();
  const std::vector<unsigned> by_32{32, 32};
  EQUAL(calculate("shl.b32", 32, by_32, {3, 31}), 0x80000000u);
  EQUAL(calculate("shl.b32", 32, by_32, {3, 32}), 0u);
  EQUAL(calculate("shl.b64", 64, {64, 32}, {3, 64}), 0u);
  EQUAL(calculate("shl.b16", 16, {16, 32}, {3, 15}), 0x8000u);
  EQUAL(calculate("shr.u32", 32, by_32, {ones_32, 99}), 0u);
  EQUAL(calculate("shr.s32", 32, by_32, {0x80000000, 99}), ones_32);
  EQUAL(calculate("shr.s32", 32, by_32, {0x7fffffff, 40}), 0u);
  EQUAL(calculate("shr.s64", 64, {64, 32}, {std::uint64_t{1} << 63, 4000000000}), ones_64);
  EQUAL(calculate("shr.u64", 64, {64, 32}, {ones_64, 64}), 0u);
  EQUAL(calculate("shr.s16", 16, {16, 32}, {0x8000, 3}), 0xf000u);
  EQUAL(calculate("shf.l.wrap.b32", 32, {0x80000001, 2, 33}), 5u);
  EQUAL(calculate("shf.l.clamp.b32", 32, {0x80000001, 2, 33}), 0x80000001u);
  EQUAL(calculate("shf.r.wrap.b32", 32, {0x80000001, 2, 4}), 0x28000000u);
  EQUAL(calculate("shf.r.clamp.b32", 32, {0x80000001, 2, 40}), 2u);
}

CASE("ptx bits: counting, reversing and finding") {
  use_device();
  EQUAL(calculate("popc.b64", 32, {64}, {ones_64}), 64u);
  EQUAL(calculate("clz.b32", 32, {32}, {0}), 32u);
  EQUAL(calculate("clz.b64", 32, {64}, {1}), 63u);
  EQUAL(calculate("brev.b32", 32, {32}, {1}), 0x80000000u);
  EQUAL(calculate("brev.b64", 64, {64}, {2}), std::uint64_t{1} << 62);
  EQUAL(calculate("bfind.u32", 32, {32}, {0x1000}), 12u);
  EQUAL(calculate("bfind.u32", 32, {32}, {0}), ones_32);
  EQUAL(calculate("bfind.s32", 32, {32}, {ones_32}), ones_32);
  EQUAL(calculate("bfind.s32", 32, {32}, {0xffff0000}), 15u);
  EQUAL(calculate("bfind.shiftamt.u64", 32, {64}, {1}), 63u);
}

CASE("ptx bits: fields are taken out with their sign, and put in") {
  use_device();
  const std::vector<unsigned> three{32, 32, 32};
  EQUAL(calculate("bfe.u32", 32, three, {0xabcd, 4, 8}), 0xbcu);
  EQUAL(calculate("bfe.s32", 32, three, {0xabcd, 4, 8}), 0xffffffbcu);
  EQUAL(calculate("bfe.s32", 32, three, {0x80000000, 28, 10}), 0xfffffff8u);
  EQUAL(calculate("bfe.u32", 32, three, {0x80000000, 28, 10}), 8u);
  EQUAL(calculate("bfe.u32", 32, three, {ones_32, 0, 0}), 0u);
  EQUAL(calculate("bfe.s32", 32, three, {ones_32, 40, 3}), ones_32);
  EQUAL(calculate("bfe.u64", 64, {64, 32, 32}, {ones_64, 60, 255}), 15u);
  const std::vector<unsigned> four{32, 32, 32, 32};
  EQUAL(calculate("bfi.b32", 32, four, {0xf, 0xabcd0000, 8, 4}), 0xabcd0f00u);
  EQUAL(calculate("bfi.b32", 32, four, {ones_32, 0, 28, 10}), 0xf0000000u);
  EQUAL(calculate("bfi.b32", 32, four, {ones_32, 7, 32, 4}), 7u);
  EQUAL(calculate("bfi.b64", 64, {64, 64, 32, 32}, {1, 0, 63, 1}), std::uint64_t{1} << 63);
}

CASE("ptx bits: bytes are chosen, or their signs") {
  use_device();
  EQUAL(calculate("prmt.b32", 32, {0x33221100, 0x77665544, 0x7531}), 0x77553311u);
  EQUAL(calculate("prmt.b32", 32, {0x80221100, 0x77665544, 0x08b3}), 0x0000ff80u);
  EQUAL(calculate("prmt.b32.f4e", 32, {0x33221100, 0x77665544, 1}), 0x44332211u);
  EQUAL(calculate("prmt.b32.b4e", 32, {0x33221100, 0x77665544, 1}), 0x66770011u);
  EQUAL(calculate("prmt.b32.rc8", 32, {0x33221100, 0x77665544, 2}), 0x22222222u);
  EQUAL(calculate("prmt.b32.ecl", 32, {0x33221100, 0x77665544, 2}), 0x33222222u);
  EQUAL(calculate("prmt.b32.ecr", 32, {0x33221100, 0x77665544, 1}), 0x11111100u);
  EQUAL(calculate("prmt.b32.rc16", 32, {0x33221100, 0x77665544, 1}), 0x33223322u);
}

CASE("ptx bits: any function of three bits, and moves that pack and unpack") {
  use_device();
  const Words got = evaluate(R"(
  cvt.u32.u64 %r0, %in0;
  cvt.u32.u64 %r1, %in1;
  cvt.u32.u64 %r2, %in2;
  lop3.b32 %r3, %r0, %r1, %r2, 0x96;
  cvt.u64.u32 %o0, %r3;
  mov.b64 %o1, {%r0, %r1};
  mov.b64 {%h0, %h1, %h2, %h3}, %o1;
  mov.b64 %o2, {%h3, %h2, %h1, %h0};
  mov.b32 {%h4, _}, %r2;
  cvt.u64.u16 %o3, %h4;
)",
                             {0x11112222, 0x33334444, 0x55556666});
  EQUAL(got[0], std::uint64_t{0x11112222 ^ 0x33334444 ^ 0x55556666});
  EQUAL(got[1], 0x3333444411112222u);
  EQUAL(got[2], 0x2222111144443333u);
  EQUAL(got[3], 0x6666u);
}
