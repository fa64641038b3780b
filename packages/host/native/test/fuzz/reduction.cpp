// A libFuzzer target for the host's reductions and scans. scripts/suites/fuzz.mjs builds and runs
// it. Whatever their bytes and numbers are, they are refused, or they touch nothing but their
// arrays.
#include "program/reductions/reduction.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <variant>
#include <vector>

#include "test/fuzz/numbers.hpp"

namespace ai = array_interface;

namespace {

/// Core's codes of the types that parameters have here.
enum Code : std::uint32_t { kUint64 = 7, kInt64 = 6, kPointer = 10 };

constexpr std::uint32_t kTreePlaces = 9;
constexpr std::uint32_t kConvert = 29;
constexpr std::uint32_t kFloat64 = 10;
constexpr std::uint32_t kStore = 31;
/// Operations of two values of one type, which most types have.
constexpr std::uint32_t kBinary[] = {4, 5, 6, 17, 18, 19, 20, 21, 26};

using Words = std::vector<std::uint32_t>;

/// The instructions of one program, with the types of their results.
class Drawn {
 public:
  explicit Drawn(Numbers& numbers) : numbers_(numbers) {}

  void Add(std::uint32_t operation, std::uint32_t type, std::uint32_t a, std::uint32_t b) {
    words_.insert(words_.end(), {operation | type << 8, a, b, 0});
    types_.push_back(type);
  }

  void AddSome() {
    for (std::uint32_t left = numbers_.Below(6); left > 0; --left) {
      const std::uint32_t a = numbers_.Below(static_cast<std::uint32_t>(types_.size()));
      const std::uint32_t b = numbers_.Below(static_cast<std::uint32_t>(types_.size()));
      const std::uint32_t operation = kBinary[numbers_.Below(9)];
      if (types_[a] == types_[b] && operation < 26) Add(operation, types_[a], a, b);
      if (types_[a] != 0 && operation == 26) Add(kConvert, 1 + numbers_.Below(10), a, 0);
    }
  }

  /// The index of the last result.
  std::uint32_t Last() const { return static_cast<std::uint32_t>(types_.size() - 1); }

  /// Stores a result.
  void Store(std::uint32_t array, std::uint32_t type, std::uint32_t result) {
    stores_.insert(stores_.end(), {kStore | type << 8, array, 0, result});
  }

  /// Stores the last result of a type, or makes one.
  void StoreLast(std::uint32_t array, std::uint32_t type) {
    std::size_t from = types_.size();
    while (from > 0 && types_[from - 1] != type) --from;
    if (from == 0) {
      Add(2, type, numbers_.Byte(), 0);
      from = types_.size();
    }
    Store(array, type, static_cast<std::uint32_t>(from - 1));
  }

  /// The words of the program: over some axes, whose lengths are elsewhere.
  Words Take(std::uint32_t axes, const Words& arrays) {
    Words made = {0x50584941,
                  1,
                  axes,
                  static_cast<std::uint32_t>(arrays.size() / 3),
                  static_cast<std::uint32_t>((words_.size() + stores_.size()) / 4),
                  0,
                  1};
    made.insert(made.end(), axes - 1, 1);
    made.insert(made.end(), arrays.begin(), arrays.end());
    made.insert(made.end(), words_.begin(), words_.end());
    made.insert(made.end(), stores_.begin(), stores_.end());
    if (numbers_.Byte() == 255)
      made[numbers_.Below(static_cast<std::uint32_t>(made.size()))] = numbers_.Byte();
    return made;
  }

 private:
  Numbers& numbers_;
  Words words_;
  Words stores_;
  Words types_;
};

/// An array along the outer and the inner axes, in memory of its own.
struct Array {
  std::vector<std::int64_t> strides;
  std::vector<std::uint8_t> memory;
  ai::Extent extent;
};

using Lengths = std::vector<std::uint64_t>;

/// The step along an axis: a small one, or that of C or Fortran order, forwards or backwards.
std::int64_t DrawStride(Numbers& numbers, const Lengths& lengths, std::size_t axis) {
  const std::uint32_t order = numbers.Below(3);
  if (order == 0) return static_cast<std::int64_t>(numbers.Below(7)) - 3;
  std::uint64_t step = 1;
  for (std::size_t at = 0; at < lengths.size(); ++at) {
    if (order == 1 ? at > axis : at < axis) step *= lengths[at];
  }
  if (axis > 0 && numbers.Below(4) == 3) ++step;  // a gap
  return static_cast<std::int64_t>(step) * (numbers.Below(4) == 3 ? -1 : 1);
}

Array DrawArray(Numbers& numbers, const Lengths& lengths, std::uint32_t item_size) {
  Array array{{}, {}, {0, item_size}};
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    const bool is_any = lengths[axis] == 1 && numbers.Below(4) == 3;
    array.strides.push_back(is_any ? numbers.Word() : DrawStride(numbers, lengths, axis));
    if (lengths[axis] == 1) continue;
    const std::int64_t last =
        array.strides[axis] * item_size * (static_cast<std::int64_t>(lengths[axis]) - 1);
    (last < 0 ? array.extent.low : array.extent.high) += last;
  }
  // Sometimes less than the loop needs.
  const std::int64_t missing = numbers.Below(8) == 7 ? item_size : 0;
  array.extent.high = array.extent.high > missing ? array.extent.high - missing : 0;
  const auto bytes = static_cast<std::size_t>(array.extent.high - array.extent.low);
  array.memory.resize(std::max<std::size_t>(1, bytes));  // never at no address
  // Most of them are the same, which takes no time.
  std::memset(array.memory.data(), static_cast<int>(numbers.Byte()), array.memory.size());
  for (std::size_t at = 0; at < std::min<std::size_t>(16, array.memory.size()); ++at) {
    array.memory[at] = static_cast<std::uint8_t>(numbers.Byte());
  }
  return array;
}

std::uint64_t Divided(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

void RunDrawn(Numbers& numbers) {
  const bool is_scan = numbers.Below(3) == 0;
  const bool is_split = numbers.Below(4) == 0;
  const std::uint32_t method = is_scan || is_split ? 0 : numbers.Below(8) % 5;
  const bool is_place = method == 1 || method == 2;
  const bool is_moments = method == 3;
  const bool has_loops = is_moments || method == 4;
  const bool is_pair = is_place || method == 4;
  const std::uint32_t count = is_moments ? 3 : is_pair ? 2 : 1 + numbers.Below(2);
  Words types;
  for (std::uint32_t index = 0; index < count; ++index) {
    types.push_back(has_loops ? kFloat64 : numbers.Below(11));
  }
  if (is_place) types[1] = 4;
  const std::uint64_t outputs = 1 + (numbers.Byte() | (numbers.Byte() == 255 ? 1024 : 0));
  std::uint64_t lanes = is_scan ? 1 : 1 << numbers.Below(6);
  const std::uint64_t rows = 1 + (numbers.Byte() | (numbers.Byte() == 255 ? 2048 : 0));
  const std::uint64_t rest = lanes > 1 ? numbers.Below(static_cast<std::uint32_t>(lanes)) : 0;
  const std::uint64_t leaf_rows = 1 + numbers.Below(40);
  const std::uint64_t leaves = Divided(rows, leaf_rows);
  const std::uint64_t size = is_split ? (is_scan ? 1 : 1 << numbers.Below(4)) : leaves;
  const std::uint64_t pieces = is_split ? Divided(leaves, size) : 1;
  const std::uint64_t items = is_split ? outputs * pieces * lanes : outputs;
  std::vector<std::uint64_t> values = {0,         items,  lanes, rows,  rest,
                                       leaf_rows, leaves, size,  pieces};
  if (numbers.Byte() == 255)
    values[numbers.Below(kTreePlaces)] = numbers.Byte() * std::uint64_t{0x0100000000000001};
  std::vector<ai::ProgramParameter> parameters(kTreePlaces, {kUint64, 0, 0, false});
  const std::uint64_t elements = lanes * rows + rest;
  const std::uint32_t outer = 1 + numbers.Below(2);
  const std::uint32_t inner = 1 + numbers.Below(2);
  const auto draw_last = [&](std::uint32_t axes, std::uint64_t all) {
    std::uint64_t last = axes == 1 ? 1 : 1 + numbers.Byte();
    while (all % last != 0) --last;
    if (axes == 2) {
      parameters.push_back({kUint64, 0, 0, false});
      values.push_back(last);
    }
    return last;
  };
  const std::uint64_t columns = draw_last(outer, outputs);
  const std::uint64_t last = draw_last(inner, elements);

  const std::uint32_t read = numbers.Below(11);
  const auto size_of = [](std::uint32_t type) {
    return static_cast<std::uint32_t>(ai::SizeOf(static_cast<ai::ValueType>(type)));
  };
  const bool is_dense = is_split && !is_scan;
  Lengths lengths = {outputs / columns};
  if (outer == 2) lengths.push_back(columns);
  lengths.push_back(elements / last);
  if (inner == 2) lengths.push_back(last);
  Lengths stored = lengths;
  if (!is_scan) std::fill(stored.begin() + outer, stored.end(), 1);
  if (is_dense) {
    std::fill(stored.begin(), stored.end(), 1);
    stored[0] = items;
  }
  std::vector<Array> arrays;
  Words places;
  const auto add = [&](const Lengths& own, std::uint32_t type, bool is_written) {
    arrays.push_back(DrawArray(numbers, own, size_of(type)));
    Array& array = arrays.back();
    places.push_back(static_cast<std::uint32_t>(parameters.size()));
    const auto index = static_cast<std::uint32_t>(arrays.size() - 1);
    parameters.push_back({kPointer, size_of(type), index, is_written});
    const auto address = reinterpret_cast<std::uintptr_t>(array.memory.data());
    values.push_back(address - static_cast<std::uint64_t>(array.extent.low));
    for (const std::int64_t stride : array.strides) {
      parameters.push_back({kInt64, 0, 0, false});
      values.push_back(static_cast<std::uint64_t>(stride));
    }
  };
  Lengths totals(lengths.size(), 1);
  totals.back() = outputs * pieces;
  add(lengths, read, false);
  for (const std::uint32_t type : types) add(stored, type, true);
  for (std::uint32_t index = 0; is_scan && is_split && index < count; ++index) {
    add(totals, types[index], false);
  }

  Words accumulators;
  const auto start = static_cast<std::uint32_t>(parameters.size());
  for (std::uint32_t index = 0; index < 3 * count; ++index) {
    accumulators.insert(accumulators.end(), {start + index, 0, size_of(types[index % count])});
  }
  Drawn element(numbers);
  Drawn pair(numbers);
  Drawn finish(numbers);
  element.Add(0, read, 3 * count, 0);
  if (types[0] == 0 && read != 0 && numbers.Below(2) == 0) {  // whether it is not 0
    element.Add(2, read, 0, 0);
    element.Add(25, 0, 0, 1);
    element.Add(22, 0, 2, 0);
  }
  if (has_loops && read != 0 && read != kFloat64) element.Add(kConvert, kFloat64, 0, 0);
  if (method == 0 && numbers.Below(2) == 0) element.Add(3, 4, outer + numbers.Below(inner), 0);
  element.AddSome();
  for (std::uint32_t index = 0; index < 2 * count; ++index)
    pair.Add(0, types[index % count], index, 0);
  // An operation for each accumulator, or anything.
  const bool has_operations = numbers.Below(2) == 0;
  if (!has_operations) pair.AddSome();
  for (std::uint32_t index = 0; index < count; ++index) {
    if (method == 0 || index == 0) element.StoreLast(2 * count + index, types[index]);
    if (has_operations) {
      pair.Add(kBinary[numbers.Below(8)], types[index], index, count + index);
      pair.Store(2 * count + index, types[index], pair.Last());
    } else {
      pair.StoreLast(2 * count + index, types[index]);
    }
    finish.Add(0, types[index], index, 0);
  }
  finish.AddSome();
  Words written = accumulators;
  Words loaded = accumulators;
  loaded.insert(loaded.end(), {places[0], 2, size_of(read)});
  for (std::uint32_t index = 0; index < count; ++index) {
    finish.StoreLast(3 * count + index, types[index]);
    const std::uint32_t layout = is_dense ? 0 : 2;
    written.insert(written.end(), {places[1 + index], layout, size_of(types[index])});
  }
  Words words = {0x52584941, 1, is_split, is_scan, outer - 1, inner - 1, count, method};
  for (std::uint32_t place = 0; place < kTreePlaces; ++place) words.push_back(place);
  for (std::uint32_t axis = 2; axis < outer + inner; ++axis)
    words.push_back(kTreePlaces + axis - 2);
  words.insert(words.end(), types.begin(), types.end());
  if (is_scan && is_split) words.insert(words.end(), places.begin() + 1 + count, places.end());
  const Words parts[3] = {element.Take(outer + inner, loaded), pair.Take(1, accumulators),
                          finish.Take(is_scan    ? outer + inner
                                      : is_dense ? 1
                                                 : outer,
                                      written)};
  for (const Words& part : parts) words.push_back(static_cast<std::uint32_t>(part.size()));
  for (const Words& part : parts) words.insert(words.end(), part.begin(), part.end());
  if (numbers.Byte() == 255) words[numbers.Below(30) % words.size()] = numbers.Byte();

  std::vector<std::byte> bytes(words.size() * sizeof(std::uint32_t));
  std::memcpy(bytes.data(), words.data(), bytes.size());
  const auto made = ai::ReadReduction(bytes.data(), bytes.size(), parameters);
  const auto* const reduction = std::get_if<ai::Reduction>(&made);
  if (reduction == nullptr) return;
  std::vector<ai::Extent> extents;
  for (const Array& array : arrays) extents.push_back(array.extent);
  // A planted mistake, which the fuzzer must find: arrays that are thought to be longer.
  if (std::getenv("ARRAY_INTERFACE_PLANTED") != nullptr) {
    for (ai::Extent& extent : extents) extent.high += 64;
  }
  // A launch of some of the outputs.
  if (numbers.Below(4) == 3) values[0] = numbers.Byte() % items;
  const std::uint64_t launched = numbers.Below(4) == 3 ? numbers.Byte() : items;
  const auto bound = ai::BindReduction(*reduction, values, extents, launched);
  const auto* const call = std::get_if<ai::ReductionCall>(&bound);
  // Numbers that nothing refuses may be so many that it takes days.
  if (call == nullptr || call->outputs * call->elements > 1 << 18) return;
  ai::RunReduction(*call, 1 + numbers.Below(3));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Numbers numbers(data, size);
  RunDrawn(numbers);
  return 0;
}
