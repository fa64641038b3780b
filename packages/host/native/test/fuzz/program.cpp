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

#include "program/find_loop.hpp"
#include "program/run_program.hpp"
#include "test/fuzz/numbers.hpp"

namespace ai = array_interface;

namespace {

/// Core's codes of the types that parameters have here.
enum Code : std::uint32_t { kUint32 = 5, kInt64 = 6, kFloat64 = 9, kPointer = 10 };

/// An array in memory of its own, which begins where the lowest element is.
struct Array {
  std::vector<std::int64_t> strides;
  std::vector<std::byte> memory;  ///< of its very bytes, so that one byte beyond is seen
  ai::Extent extent;
};

constexpr std::size_t kAxes = 2;
constexpr std::uint32_t kItemSizes[] = {8, 4, 2, 16, 1};

Array DrawArray(Numbers& numbers, const std::uint32_t* lengths, std::uint32_t item_size) {
  Array array{{}, {}, {0, item_size}};
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const bool is_any = lengths[axis] == 1 && numbers.Below(4) == 3;
    const std::int64_t stride =
        is_any ? numbers.Word() : static_cast<std::int64_t>(numbers.Below(40)) - 20;
    array.strides.push_back(stride);
    if (lengths[axis] == 1) continue;
    const std::int64_t last = stride * item_size * (std::int64_t{lengths[axis]} - 1);
    (last < 0 ? array.extent.low : array.extent.high) += last;
  }
  // Sometimes less than the loop needs.
  const std::int64_t missing = numbers.Below(8) == 7 ? item_size : 0;
  array.extent.high = array.extent.high > missing ? array.extent.high - missing : 0;
  const auto bytes = static_cast<std::size_t>(array.extent.high - array.extent.low);
  array.memory.resize(bytes > 0 ? bytes : 1);  // never at no address
  return array;
}

/// Draws instructions. Most are right, so that programs get as far as to run; some are any words.
class Instructions {
 public:
  explicit Instructions(Numbers& numbers) : numbers_(numbers) {}

  /// Draws one, but for stores. `item_sizes` are those of the arrays.
  void Draw(const std::vector<std::uint32_t>& item_sizes, std::uint32_t parameters) {
    const bool is_wild = numbers_.Below(32) == 31;
    const auto operation = static_cast<Operation>(numbers_.Below(ai::kOperations));
    if (is_wild) return Add(operation, AnyType(), AnyWord(), AnyWord(), AnyWord());
    switch (operation) {
      case Operation::kConstant:
        return Add(operation, AnyType(), AnyWord(), AnyWord() << 24, 0);
      case Operation::kIndex:
        return Add(operation, ValueType::kInt64, numbers_.Below(kAxes), 0, 0);
      case Operation::kScalar:  // the last one is a float64, the first ones are indices
        if (numbers_.Below(2) == 0) {
          return Add(operation, ValueType::kFloat64, parameters - 1, 0, 0);
        }
        return Add(operation, ValueType::kUint32, numbers_.Below(3), 0, 0);
      case Operation::kLoad:
        return DrawLoad(item_sizes);
      default:
        break;
    }
    if (types_.empty()) return DrawLoad(item_sizes);
    const std::uint32_t first = numbers_.Below(count());
    const ValueType type = types_[first];
    const std::uint32_t second = Like(type, numbers_.Below(count()), first);
    if (operation == Operation::kSelect) {
      const std::uint32_t condition = Like(ValueType::kBool, numbers_.Below(count()), first);
      return Add(operation, type, condition, first, second);
    }
    if (operation == Operation::kReinterpret) {
      return Add(operation, NextType([&](ValueType one) { return SizeOf(one) == SizeOf(type); }),
                 first, 0, 0);
    }
    if (operation == Operation::kConvert) {
      const auto is_known = [&](ValueType one) {
        return FindLoop(operation, one, type) != nullptr;
      };
      return Add(operation, NextType(is_known), first, 0, 0);
    }
    if (operation == Operation::kExponential && type == ValueType::kFloat64) {
      return Add(operation, type, first, 0, 0);
    }
    const Operation known = NextOperation(operation, type);
    Add(known, Compares(known) ? ValueType::kBool : type, first, second, 0);
  }

  /// Stores a late result in an array, if there is one.
  void Store(const std::vector<std::uint32_t>& item_sizes, std::uint32_t array,
             std::uint32_t back) {
    if (types_.empty()) return;
    const std::size_t from = types_.size() - 1 - back % types_.size();
    const std::uint32_t part = PartOf(item_sizes[array], types_[from]);
    Push(Operation::kStore, types_[from], array, part, static_cast<std::uint32_t>(from));
    ++stores_;
  }

  std::uint32_t count() const { return static_cast<std::uint32_t>(types_.size()) + stores_; }
  const std::vector<std::uint32_t>& words() const { return words_; }

 private:
  using Operation = ai::Operation;
  using ValueType = ai::ValueType;

  ValueType AnyType() { return static_cast<ValueType>(numbers_.Below(ai::kValueTypes)); }
  std::uint32_t AnyWord() { return numbers_.Byte(); }

  static bool Compares(Operation operation) {
    return operation == Operation::kEqual || operation == Operation::kLess ||
           operation == Operation::kLessEqual;
  }

  /// A type for which something holds, as it must for one.
  template <typename Test>
  ValueType NextType(Test holds) {
    std::uint32_t type = numbers_.Below(ai::kValueTypes);
    while (!holds(static_cast<ValueType>(type))) type = (type + 1) % ai::kValueTypes;
    return static_cast<ValueType>(type);
  }

  /// An operation that the type has: some from one on.
  static Operation NextOperation(Operation from, ValueType type) {
    constexpr auto first = static_cast<std::uint32_t>(Operation::kAdd);
    constexpr auto last = static_cast<std::uint32_t>(Operation::kLessEqual);
    auto number = static_cast<std::uint32_t>(from);
    for (;;) {
      if (number < first || number > last) number = first;
      const auto one = static_cast<Operation>(number++);
      if (FindLoop(one, Compares(one) ? ValueType::kBool : type, type) != nullptr) return one;
    }
  }

  std::uint32_t PartOf(std::uint32_t item_size, ValueType type) {
    const auto parts = static_cast<std::uint32_t>(item_size / ai::SizeOf(type));
    return parts == 0 ? 0 : numbers_.Below(parts);
  }

  void DrawLoad(const std::vector<std::uint32_t>& item_sizes) {
    const std::uint32_t array = numbers_.Below(static_cast<std::uint32_t>(item_sizes.size()));
    const std::uint32_t item_size = item_sizes[array];
    const ValueType type = NextType([&](ValueType one) { return item_size % SizeOf(one) == 0; });
    Add(Operation::kLoad, type, array, PartOf(item_size, type), 0);
  }

  /// The next instruction of a type from one on, or another.
  std::uint32_t Like(ValueType type, std::uint32_t from, std::uint32_t other) const {
    for (std::uint32_t step = 0; step < types_.size(); ++step) {
      const auto at = static_cast<std::uint32_t>((from + step) % types_.size());
      if (types_[at] == type) return at;
    }
    return other;
  }

  void Push(Operation operation, ValueType type, std::uint32_t a, std::uint32_t b,
            std::uint32_t c) {
    words_.insert(
        words_.end(),
        {static_cast<std::uint32_t>(operation) | static_cast<std::uint32_t>(type) << 8, a, b, c});
  }

  void Add(Operation operation, ValueType type, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    Push(operation, type, a, b, c);
    types_.push_back(type);
  }

  Numbers& numbers_;
  std::vector<std::uint32_t> words_;
  std::vector<ValueType> types_;
  std::uint32_t stores_ = 0;
};

/// Draws a program that is likely to be accepted, and runs it.
void RunDrawn(Numbers& numbers) {
  const std::uint32_t lengths[kAxes] = {1 + numbers.Below(12), 1 + numbers.Byte()};
  const std::uint32_t total = lengths[0] * lengths[1];
  std::vector<ai::ProgramParameter> parameters = {
      {kUint32, 0, 0, false}, {kUint32, 0, 0, false}, {kUint32, 0, 0, false}};
  std::vector<std::uint64_t> values = {numbers.Below(4), total - numbers.Below(2), lengths[1]};
  std::vector<Array> arrays;
  std::vector<std::uint32_t> item_sizes;
  std::vector<std::uint32_t> words = {0x50584941, 1, kAxes, 3, 0, 0, 1, 2};
  arrays.reserve(3);
  for (std::uint32_t index = 0; index < 3; ++index) {
    const std::uint32_t item_size = kItemSizes[numbers.Below(5)];
    item_sizes.push_back(item_size);
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
  // Drawn first, since the bytes end with the instructions. Array 1 is only read.
  struct Target {
    std::uint32_t array;
    std::uint32_t back;
  };
  std::vector<Target> targets(1 + numbers.Below(3));
  for (Target& target : targets) {
    target.array = numbers.Below(16) == 15 ? 1 : 2 * numbers.Below(2);
    target.back = numbers.Byte();
  }
  const auto count_of_parameters = static_cast<std::uint32_t>(parameters.size());
  Instructions instructions(numbers);
  while (numbers.has_more()) instructions.Draw(item_sizes, count_of_parameters);
  for (const Target& one : targets) instructions.Store(item_sizes, one.array, one.back);
  words[4] = instructions.count();
  words.insert(words.end(), instructions.words().begin(), instructions.words().end());
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
