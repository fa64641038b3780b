#include <cmath>

#include "program.hpp"

using namespace test;

namespace {

/// Returns which of the relations hold, one bit each.
unsigned relations(const std::vector<std::string>& names, const std::string& type, unsigned bits,
                   std::uint64_t a, std::uint64_t b) {
  unsigned held = 0;
  for (std::size_t index = 0; index < names.size(); ++index) {
    const std::string opcode = "setp." + names[index] + "." + type;
    held |= static_cast<unsigned>(calculate(opcode, 1, {bits, bits}, {a, b})) << index;
  }
  return held;
}

const std::vector<std::string> ordered{"eq", "ne", "lt", "le", "gt", "ge"};
const std::vector<std::string> unordered{"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

}  // namespace

CASE("ptx compare: integers by their sign") {
  use_device();
  const std::uint64_t minus = 0xffffffff;
  EQUAL(relations(ordered, "s32", 32, minus, 1), 0b001110u);
  EQUAL(relations(ordered, "u32", 32, minus, 1), 0b110010u);
  EQUAL(relations(ordered, "s64", 64, 5, 5), 0b101001u);
  EQUAL(relations(ordered, "s16", 16, 0x8000, 0), 0b001110u);
  EQUAL(relations({"lo", "ls", "hi", "hs"}, "u32", 32, minus, 1), 0b1100u);
}

CASE("ptx compare: floats, where NaN holds only for the unordered relations") {
  use_device();
  EQUAL(relations(ordered, "f32", 32, bits_of(NAN), bits_of(1.0f)), 0u);
  EQUAL(relations(unordered, "f32", 32, bits_of(NAN), bits_of(1.0f)), 0b10111111u);
  EQUAL(relations(ordered, "f64", 64, bits_of(-0.0), bits_of(0.0)), 0b101001u);
  EQUAL(relations(unordered, "f64", 64, bits_of(1.0), bits_of(2.0)), 0b01001110u);
  EQUAL(relations({"gt"}, "f32", 32, bits_of(1e-40f), 0), 1u);
  EQUAL(relations({"gt"}, "ftz.f32", 32, bits_of(1e-40f), 0), 0u);
}

CASE("ptx compare: predicates join, and the second result is the opposite") {
  use_device();
  const Words got = evaluate(R"(
  setp.lt.u64 %p0|%p1, %in0, %in1;
  setp.eq.and.u64 %p2|%p3, %in0, %in0, !%p0;
  setp.eq.or.u64 %p4, %in0, %in1, %p0;
  setp.eq.xor.u64 %p5, %in0, %in0, %p0;
  selp.u64 %d0, 1, 0, %p0;
  selp.u64 %d1, 2, 0, %p1;
  selp.u64 %d2, 4, 0, %p2;
  selp.u64 %d3, 8, 0, %p3;
  selp.u64 %d4, 16, 0, %p4;
  selp.u64 %d5, 32, 0, %p5;
  add.u64 %o0, %d0, %d1;
  add.u64 %o0, %o0, %d2;
  add.u64 %o0, %o0, %d3;
  add.u64 %o0, %o0, %d4;
  add.u64 %o0, %o0, %d5;
  set.lt.u32.u64 %r0, %in0, %in1;
  cvt.u64.u32 %o1, %r0;
  set.lt.f32.u64 %r1, %in0, %in1;
  cvt.u64.u32 %o2, %r1;
  slct.u64.s32 %o3, %in0, %in1, -1;
)",
                             {1, 2});
  EQUAL(got[0], 1u + 16u);
  EQUAL(got[1], 0xffffffffu);
  EQUAL(got[2], bits_of(1.0f));
  EQUAL(got[3], 2u);
}

CASE("ptx compare: properties of floats") {
  use_device();
  const auto is = [](const char* property, float value) {
    return calculate(std::string("testp.") + property + ".f32", 1, {32}, {bits_of(value)}) == 1;
  };
  CHECK(is("finite", 1) && !is("finite", INFINITY));
  CHECK(is("infinite", -INFINITY) && !is("infinite", NAN));
  CHECK(is("number", INFINITY) && is("notanumber", NAN));
  CHECK(is("subnormal", 1e-40f) && is("normal", 1) && !is("normal", 0));
}
