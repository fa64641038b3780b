// A libFuzzer target for the host's programs. scripts/suites/fuzz.mjs builds and runs it. Whatever
// the bytes of a program are, it is refused, or it touches nothing but its arrays: AddressSanitizer
// sees the rest.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <variant>
#include <vector>

#include "program/run_program.hpp"

namespace ai = array_interface;

namespace {

/// The bytes of an input, and then zeros.
class Numbers {
 public:
  Numbers(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  bool has_more() const { return left_ > 0; }
  std::uint32_t Byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  std::uint32_t Below(std::uint32_t limit) { return Byte() % limit; }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

/// Core's codes of the types that parameters have here.
enum Code : std::uint32_t { kUint32 = 5, kInt64 = 6, kFloat64 = 9, kPointer = 10 };

/// An array in memory of its own, which begins where the lowest element is.
struct Array {
  std::vector<std::int64_t> strides;
  std::vector<std::uint64_t> memory;
  ai::Extent extent;
};

constexpr std::size_t kAxes = 2;
constexpr std::uint32_t kItemSizes[] = {8, 4, 2, 16, 1};

Array DrawArray(Numbers& numbers, const std::uint32_t* lengths, std::uint32_t item_size) {
  Array array{{}, {}, {0, item_size}};
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const std::int64_t stride = static_cast<std::int64_t>(numbers.Below(40)) - 20;
    array.strides.push_back(stride);
    const std::int64_t last = stride * item_size * (std::int64_t{lengths[axis]} - 1);
    (last < 0 ? array.extent.low : array.extent.high) += last;
  }
  // Sometimes less than the loop needs.
  const std::int64_t missing = numbers.Below(8) == 0 ? item_size : 0;
  array.extent.high = array.extent.high > missing ? array.extent.high - missing : 0;
  const auto bytes = static_cast<std::size_t>(array.extent.high - array.extent.low);
  array.memory.resize((bytes + 7) / 8);
  array.extent.high = static_cast<std::int64_t>(array.memory.size() * 8) + array.extent.low;
  return array;
}

void AddWord(std::vector<std::uint32_t>& words, std::uint32_t word) { words.push_back(word); }

/// Draws a program that is likely to be accepted, and runs it.
void RunDrawn(Numbers& numbers) {
  const std::uint32_t lengths[kAxes] = {1 + numbers.Below(12), 1 + numbers.Byte()};
  const std::uint32_t total = lengths[0] * lengths[1];
  std::vector<ai::ProgramParameter> parameters = {
      {kUint32, 0, 0, false}, {kUint32, 0, 0, false}, {kUint32, 0, 0, false}};
  std::vector<std::uint64_t> values = {numbers.Below(4), total - numbers.Below(2), lengths[1]};
  std::vector<Array> arrays;
  std::vector<std::uint32_t> words = {0x50584941, 1, kAxes, 3, 0, 0, 1, 2};
  arrays.reserve(3);
  for (std::uint32_t index = 0; index < 3; ++index) {
    const std::uint32_t item_size = kItemSizes[numbers.Below(5)];
    arrays.push_back(DrawArray(numbers, lengths, item_size));
    const Array& array = arrays.back();
    words.insert(words.end(), {static_cast<std::uint32_t>(parameters.size()),
                               numbers.Below(8) == 0 ? numbers.Below(3) : 2, item_size});
    parameters.push_back({kPointer, item_size, index, index != 1});
    const auto address = reinterpret_cast<std::uintptr_t>(array.memory.data());
    values.push_back(address - static_cast<std::uint64_t>(array.extent.low));
    for (const std::int64_t stride : array.strides) {
      parameters.push_back({kInt64, 0, 0, false});
      values.push_back(static_cast<std::uint64_t>(stride));
    }
  }
  parameters.push_back({kFloat64, 0, 0, false});
  values.push_back(0x4000000000000000);
  std::uint32_t count = 0;
  for (; numbers.has_more(); ++count) {
    AddWord(words, numbers.Below(32) | numbers.Below(11) << 8);
    for (int operand = 0; operand < 3; ++operand) AddWord(words, numbers.Byte());
  }
  words[4] = count;
  std::vector<std::byte> bytes(words.size() * sizeof(std::uint32_t));
  std::memcpy(bytes.data(), words.data(), bytes.size());
  const auto read = ai::ReadProgram(bytes.data(), bytes.size(), parameters);
  const auto* const program = std::get_if<ai::Program>(&read);
  if (program == nullptr) return;
  std::vector<ai::Extent> extents;
  for (const Array& array : arrays) extents.push_back(array.extent);
  // A planted mistake, which the fuzzer must find: arrays that are thought to be longer.
  if (std::getenv("ARRAY_INTERFACE_PLANTED") != nullptr) extents[1].high += 64;
  const auto bound = ai::BindProgram(*program, values, extents, total);
  if (const auto* const call = std::get_if<ai::ProgramCall>(&bound)) ai::RunProgram(*call, 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Numbers numbers(data, size);
  RunDrawn(numbers);
  return 0;
}
