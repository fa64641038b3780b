#include <array>
#include <random>
#include <sstream>

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

/// One of mad.lo.cc, madc.hi and so on.
struct Step {
  std::string name;
  std::string half;
  bool writes;
};

/// A body whose step k leaves in %o<k> a product of two inputs to which the third is added, each
/// step beginning with the next input.
std::string text_of(const std::vector<Step>& steps, char sign, unsigned bits) {
  const std::string prefix = bits == 32 ? "%r" : "%d";
  std::ostringstream body;
  for (const char* number : {"0", "1", "2"})
    body << narrowing(bits, prefix + number, std::string("%in") + number);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const auto& [name, half, writes] = steps[k];
    body << name << "." << half << (writes ? ".cc." : ".") << sign << bits << " " << prefix << "4";
    for (const std::size_t input : {k % 3, (k + 1) % 3, (k + 2) % 3})
      body << ", " << prefix << input;
    body << ";\ncvt.u64.u" << bits << " %o" << k << ", " << prefix << "4;\n";
  }
  return body.str();
}

/// Returns what that body leaves, calculated in 128 bits.
Words results_of(const std::vector<Step>& steps, const Words& inputs, unsigned bits,
                 bool is_signed) {
  const Wide mask = (Wide{1} << bits) - 1;
  const auto extended = [&](Wide word) {
    return is_signed && (word >> (bits - 1)) != 0 ? word | ~mask : word;
  };
  Words results;
  Wide carry = 0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const Wide product = extended(inputs[k % 3]) * extended(inputs[(k + 1) % 3]);
    const Wide half = (steps[k].half == "hi" ? product >> bits : product) & mask;
    const Wide sum = half + inputs[(k + 2) % 3] + (steps[k].name == "madc" ? carry : 0);
    results.push_back(low(sum & mask));
    if (steps[k].writes) carry = sum >> bits;
  }
  return results;
}

/// Returns all triples of the words above, and random ones.
std::vector<Words> triples(unsigned bits) {
  const auto& words = bits == 32 ? words_32 : words_64;
  std::vector<Words> all;
  for (const std::uint64_t a : words)
    for (const std::uint64_t b : words)
      for (const std::uint64_t c : words) all.push_back({a, b, c});
  std::mt19937_64 random(41);
  const auto next = [&] { return random() >> (64 - bits); };
  for (int count = 0; count < 48; ++count) all.push_back({next(), next(), next()});
  return all;
}

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

CASE("ptx carry: sums with the low and high halves of products, of both signs and widths") {
  use_device();
  const std::vector<std::vector<Step>> chains = {
      {{"mad", "lo", true}, {"madc", "lo", true}, {"madc", "hi", true}, {"madc", "hi", false}},
      {{"mad", "hi", true}, {"madc", "lo", false}, {"madc", "hi", true}, {"madc", "lo", false}},
  };
  for (const unsigned bits : {32u, 64u}) {
    for (const char sign : {'u', 's'}) {
      for (const std::vector<Step>& steps : chains) {
        Chain chain(text_of(steps, sign, bits));
        for (const Words& inputs : triples(bits)) {
          const Words got = chain.run(inputs);
          const Words expected = results_of(steps, inputs, bits, sign == 's');
          for (std::size_t k = 0; k < 4; ++k) EQUAL(got[k], expected[k]);
        }
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
