#include <array>

#include "program.hpp"

// The condition code of add.cc, addc, sub.cc, subc, mad.cc and madc, against sums in 128 bits.

using namespace test;

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::array<std::uint64_t, 6> words_32 = {0,          1,          0x7fffffff,
                                                   0x80000000, 0xfffffffe, 0xffffffff};
constexpr std::uint64_t top = std::uint64_t{1} << 63;
constexpr std::array<std::uint64_t, 6> words_64 = {
    0, 1, top - 1, top, ~std::uint64_t{1}, ~std::uint64_t{0}};

/// Returns the two 64-bit words that a body leaves in %o0 and %o1, of a module loaded once.
class Chain {
 public:
  explicit Chain(const std::string& body) : module_(load_ptx(kernel_text(body))) {}

  Words run(const Words& inputs) {
    Words arguments{out_};
    arguments.insert(arguments.end(), inputs.begin(), inputs.end());
    arguments.resize(5);
    OK(launch_and_wait(kernel_of(module_), arguments));
    return read_words(out_, 4);
  }

 private:
  CUmodule module_;
  CUdeviceptr out_ = device_memory(32);
};

std::uint64_t low(Wide value) { return static_cast<std::uint64_t>(value); }
std::uint64_t high(Wide value) { return static_cast<std::uint64_t>(value >> 64); }
Wide joined(std::uint64_t upper, std::uint64_t lower) { return Wide{upper} << 64 | lower; }

}  // namespace

CASE("ptx carry: sums and differences of 128 bits, in words of 64") {
  use_device();
  for (const std::string sign : {"u", "s"}) {
    Chain sum("add.cc." + sign + "64 %o0, %in0, %in2; addc." + sign + "64 %o1, %in1, %in3;");
    Chain difference("sub.cc." + sign + "64 %o0, %in0, %in2; subc." + sign + "64 %o1, %in1, %in3;");
    for (const std::uint64_t a : words_64) {
      for (const std::uint64_t b : words_64) {
        for (const std::uint64_t c : {std::uint64_t{0}, ~std::uint64_t{0}}) {
          const Wide total = joined(c, a) + joined(b, b);
          const Words added = sum.run({a, c, b, b});
          EQUAL(added[0], low(total));
          EQUAL(added[1], high(total));
          const Wide rest = joined(c, a) - joined(b, b);
          const Words taken = difference.run({a, c, b, b});
          EQUAL(taken[0], low(rest));
          EQUAL(taken[1], high(rest));
        }
      }
    }
  }
}

CASE("ptx carry: sums, differences and products of 64 bits, in words of 32") {
  use_device();
  const std::string split = R"(
  cvt.u32.u64 %r0, %in0; shr.u64 %d0, %in0, 32; cvt.u32.u64 %r1, %d0;
  cvt.u32.u64 %r2, %in1; shr.u64 %d1, %in1, 32; cvt.u32.u64 %r3, %d1;
)";
  const std::string join = R"(
  mov.b64 %o0, {%r4, %r5};
  mov.b64 %o1, {%r6, %r7};
)";
  Chain sum(split + "add.cc.u32 %r4, %r0, %r2; addc.cc.u32 %r5, %r1, %r3;" +
            "addc.u32 %r6, 0, 0; mov.u32 %r7, 0;" + join);
  Chain difference(split + "sub.cc.u32 %r4, %r0, %r2; subc.cc.u32 %r5, %r1, %r3;" +
                   "subc.u32 %r6, 0, 0; mov.u32 %r7, %r6;" + join);
  // (r1 r0) * (r3 r2) in 128 bits, as schoolbook multiplication of words.
  Chain product(split + R"(
  mul.lo.u32 %r4, %r0, %r2;
  mul.hi.u32 %r5, %r0, %r2;
  mad.lo.cc.u32 %r5, %r0, %r3, %r5;
  madc.hi.u32 %r6, %r0, %r3, 0;
  mad.lo.cc.u32 %r5, %r1, %r2, %r5;
  madc.hi.cc.u32 %r6, %r1, %r2, %r6;
  addc.u32 %r7, 0, 0;
  mad.lo.cc.u32 %r6, %r1, %r3, %r6;
  madc.hi.u32 %r7, %r1, %r3, %r7;
)" + join);
  for (const std::uint64_t a : words_64) {
    for (const std::uint64_t b : words_64) {
      const Words added = sum.run({a, b});
      EQUAL(added[0], a + b);
      EQUAL(added[1], a + b < a ? 1u : 0u);
      const Words taken = difference.run({a, b});
      EQUAL(taken[0], a - b);
      EQUAL(taken[1], a < b ? ~std::uint64_t{0} : 0u);
      const Words multiplied = product.run({a, b});
      EQUAL(multiplied[0], low(Wide{a} * b));
      EQUAL(multiplied[1], high(Wide{a} * b));
    }
  }
}

CASE("ptx carry: the high half of a product follows the sign, its carry that of the sum") {
  use_device();
  Chain chain(R"(
  cvt.u32.u64 %r0, %in0; cvt.u32.u64 %r1, %in1; cvt.u32.u64 %r2, %in2;
  mad.hi.cc.s32 %r3, %r0, %r1, %r2;
  addc.u32 %r4, 0, 0;
  cvt.u64.u32 %o0, %r3; cvt.u64.u32 %o1, %r4;
)");
  for (const std::uint64_t a : words_32) {
    for (const std::uint64_t b : words_32) {
      for (const std::uint64_t c : words_32) {
        const auto half = static_cast<std::uint32_t>(
            (std::int64_t{static_cast<std::int32_t>(a)} * static_cast<std::int32_t>(b)) >> 32);
        const std::uint64_t total = std::uint64_t{half} + c;
        const Words got = chain.run({a, b, c});
        EQUAL(got[0], total & 0xffffffff);
        EQUAL(got[1], total >> 32);
      }
    }
  }
}

CASE("ptx carry: only .cc writes it, and what else is executed keeps it") {
  use_device();
  const Words got = evaluate(R"(
  add.cc.u64 %d0, %in0, %in0;
  addc.u64 %o0, 0, 0;
  add.u64 %d1, 1, 1;
  setp.eq.u64 %p0, %in1, 1;
  @%p0 sub.cc.u64 %d2, 5, 1;
  addc.u64 %o1, 0, 0;
  sub.cc.u64 %d3, 5, 1;
  addc.u64 %o2, 0, 0;
  sub.cc.u64 %d3, 1, 5;
  subc.u64 %o3, 10, 0;
)",
                             {top, 0});
  EQUAL(got[0], 1u);
  EQUAL(got[1], 1u);  // neither addc, nor add, nor what its guard skipped
  EQUAL(got[2], 0u);
  EQUAL(got[3], 9u);
}
