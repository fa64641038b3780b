#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/emulator/run_kernel.hpp"
#include "kernels/host/convert/convert.hpp"
#include "kernels/host/copy.hpp"
#include "kernels/launch/launch.hpp"
#include "test/kernels/sections.hpp"
#include "test/kernels/support/layout.hpp"
#include "test/kernels/support/random.hpp"
#include "test/support/check.hpp"

namespace ai = array_interface;

namespace {

/// Halfway between integers, next to that, at and beyond the limits of each integer, and not
/// finite.
std::vector<double> values() {
  std::vector<double> all{0.0, -0.0, HUGE_VAL, -HUGE_VAL, std::nan(""), 5e-324, -5e-324, 1e300};
  const auto add_around = [&](double value) {
    for (const double near : {value, std::nextafter(value, -HUGE_VAL), value + 0.5, value - 0.5}) {
      all.insert(all.end(), {near, -near, std::nextafter(near, HUGE_VAL)});
    }
  };
  for (int whole = 0; whole < 300; ++whole) add_around(whole);
  for (int exponent = 7; exponent <= 65; ++exponent) {
    for (const double apart : {-1.0, 0.0, 1.0}) add_around(std::ldexp(1.0, exponent) + apart);
  }
  std::mt19937 random = random_of(11);
  for (int round = 0; round < 500; ++round) {
    const auto digits = static_cast<double>(static_cast<std::int32_t>(random()));
    all.push_back(std::ldexp(digits, static_cast<int>(random() % 40) - 32));
  }
  return all;
}

template <typename Integer>
std::vector<unsigned char> nearest(double value) {
  using Limits = std::numeric_limits<Integer>;
  const double whole = std::nearbyint(value);
  Integer result = 0;
  if (whole >= std::ldexp(1.0, Limits::digits)) {
    result = Limits::max();
  } else if (whole < static_cast<double>(Limits::min())) {
    result = Limits::min();
  } else if (whole == whole) {
    result = static_cast<Integer>(whole);
  }
  std::vector<unsigned char> bytes(sizeof result);
  std::memcpy(bytes.data(), &result, sizeof result);
  return bytes;
}

void convert_one(ai::ElementType to, void* into, ai::ElementType from, const void* out_of) {
  const ai::ConvertRun convert = ai::converter(to, from);
  if (convert == nullptr) {
    std::memcpy(into, out_of, size_of(to));
  } else {
    convert(static_cast<unsigned char*>(into), static_cast<const unsigned char*>(out_of), 1);
  }
}

using Nearest = std::vector<unsigned char> (*)(double value);

/// Checks numbers of a type as integers of another, in the host's code and in the kernel.
void check_pair(ai::ElementType from, ai::ElementType to, Nearest nearest) {
  const std::vector<double> all = values();
  const std::size_t size = size_of(from);
  std::vector<unsigned char> source(all.size() * size);
  std::vector<unsigned char> expected;
  for (std::size_t index = 0; index < all.size(); ++index) {
    unsigned char* const number = &source[index * size];
    double value = 0;
    convert_one(from, number, ai::ElementType::kFloat64, &all[index]);
    convert_one(ai::ElementType::kFloat64, &value, from, number);
    const std::vector<unsigned char> whole = nearest(value);
    expected.insert(expected.end(), whole.begin(), whole.end());
  }
  std::vector<unsigned char> converted(expected.size());
  const auto stride = static_cast<std::int64_t>(size_of(to));
  ai::StridedCopy copy{converted.data(),
                       source.data(),
                       size_of(to),
                       {static_cast<std::int64_t>(all.size())},
                       {stride},
                       {static_cast<std::int64_t>(size)},
                       ai::Conversion{from, to, false, false, true}};
  const Subject named(text_of(copy));
  ai::strided_copy(copy);
  CHECK(converted == expected);
  std::fill(converted.begin(), converted.end(), static_cast<unsigned char>(0xa5));
  ai::for_each_launch(copy, [&](ai::KernelArguments& launch) {
    ai::run_kernel(ai::ConvertArguments{launch, ai::conversion_code(copy)});
  });
  CHECK(converted == expected);
}

}  // namespace

void check_rounding() {
  using Type = ai::ElementType;
  for (const Type from : {Type::kFloat16, Type::kBfloat16, Type::kFloat32, Type::kFloat64,
                          Type::kComplex64, Type::kComplex128}) {
    check_pair(from, Type::kInt8, nearest<std::int8_t>);
    check_pair(from, Type::kInt16, nearest<std::int16_t>);
    check_pair(from, Type::kInt32, nearest<std::int32_t>);
    check_pair(from, Type::kInt64, nearest<std::int64_t>);
    check_pair(from, Type::kUint8, nearest<std::uint8_t>);
    check_pair(from, Type::kUint16, nearest<std::uint16_t>);
    check_pair(from, Type::kUint32, nearest<std::uint32_t>);
    check_pair(from, Type::kUint64, nearest<std::uint64_t>);
  }
}
