#include <algorithm>
#include <cstring>
#include <utility>

#include "bind.hpp"

namespace array_interface {

static constexpr std::uint32_t kUint32 = 5;  // core's code

std::uint64_t ReadIndex(const std::vector<ProgramParameter>& parameters,
                        const std::vector<std::uint64_t>& values, std::uint32_t place) {
  if (parameters[place].type != kUint32) return values[place];
  std::uint32_t value = 0;
  std::memcpy(&value, &values[place], sizeof value);
  return value;
}

bool Reach(Extent& reach, std::uint64_t length, std::int64_t stride) {
  std::int64_t last = 0;
  if (length == 0 || __builtin_mul_overflow(length - 1, stride, &last)) return false;
  std::int64_t& end = last < 0 ? reach.low : reach.high;
  return !__builtin_add_overflow(end, last, &end);
}

bool SetStrides(std::vector<std::int64_t>& strides, const std::vector<std::uint64_t>& shape,
                const std::uint64_t* values, std::uint32_t item_size) {
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    std::int64_t& stride = strides[axis];
    std::memcpy(&stride, values + axis, sizeof stride);
    if (shape[axis] == 1) stride = 0;
    if (__builtin_mul_overflow(stride, item_size, &stride)) return false;
  }
  return true;
}

std::size_t UnitOf(const Program& program, std::size_t array) {
  std::size_t unit = 1;
  for (const Instruction& one : program.instructions) {
    const bool is_use = one.operation == Operation::kLoad || one.operation == Operation::kStore;
    if (is_use && one.source == array) unit = std::max(unit, SizeOf(one.type));
  }
  return unit;
}

namespace {

/// Sets the strides of an array in C order. False if they are no numbers of bytes.
bool SetDense(std::vector<std::int64_t>& strides, const std::vector<std::uint64_t>& shape,
              std::uint32_t item_size) {
  std::int64_t stride = item_size;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = stride;
    if (__builtin_mul_overflow(stride, shape[axis], &stride)) return false;
  }
  return true;
}

/// Returns the shape, or nothing if the elements do not fill one.
std::vector<std::uint64_t> ShapeOf(const Program& program, const std::vector<std::uint64_t>& values,
                                   std::uint64_t total) {
  std::vector<std::uint64_t> shape{0};
  std::uint64_t inner = 1;
  for (const std::uint32_t place : program.length_places) {
    shape.push_back(ReadIndex(program.parameters, values, place));
    if (__builtin_mul_overflow(inner, shape.back(), &inner)) return {};
  }
  if (inner == 0 || total % inner != 0) return {};
  shape[0] = total / inner;
  return shape;
}

/// The addresses that an array may use.
struct Range {
  std::uintptr_t start;
  std::uintptr_t end;
};

bool AreApart(const Program& program, const std::vector<Range>& ranges) {
  for (const Instruction& store : program.instructions) {
    if (store.operation != Operation::kStore) continue;
    const Range& written = ranges[store.source];
    for (const Instruction& load : program.instructions) {
      if (load.operation != Operation::kLoad) continue;
      const Range& read = ranges[load.source];
      if (read.start < written.end && written.start < read.end) return false;
    }
  }
  return true;
}

}  // namespace

std::variant<ProgramCall, ProgramFault> BindProgram(const Program& program,
                                                    const std::vector<std::uint64_t>& values,
                                                    const std::vector<Extent>& extents,
                                                    std::uint64_t count) {
  ProgramCall call{&program, values.data(), {}, {}, 0, 0, true};
  const std::uint64_t total = ReadIndex(program.parameters, values, program.total_place);
  call.first = std::min(total, ReadIndex(program.parameters, values, program.first_place));
  call.end = call.first + std::min(total - call.first, count);
  if (call.first == call.end) return call;
  call.shape = ShapeOf(program, values, total);
  if (call.shape.empty())
    return "expected lengths whose product divides the number of elements, got others";
  std::vector<Range> ranges;
  for (std::size_t index = 0; index < program.arrays.size(); ++index) {
    const auto& [place, layout, item_size] = program.arrays[index];
    PlacedArray placed{nullptr, std::vector<std::int64_t>(call.shape.size(), 0), 0};
    bool is_right = true;
    if (layout == Layout::kDense) is_right = SetDense(placed.strides, call.shape, item_size);
    if (layout == Layout::kStrided) {
      is_right = SetStrides(placed.strides, call.shape, &values[place + 1], item_size);
    }
    Extent reach{0, item_size};
    for (std::size_t axis = 0; is_right && axis < call.shape.size(); ++axis) {
      is_right = Reach(reach, call.shape[axis], placed.strides[axis]);
    }
    const Extent& extent = extents[program.parameters[place].index];
    if (!is_right || reach.low < extent.low || reach.high > extent.high) {
      return "expected an array " + std::to_string(index) +
             " that holds all elements, got a smaller one";
    }
    const std::uint64_t address = values[place];
    if (address % UnitOf(program, index) != 0) {
      return "expected an array " + std::to_string(index) + " of aligned elements, got others";
    }
    placed.base = reinterpret_cast<std::byte*>(address);  // NOLINT(performance-no-int-to-ptr)
    ranges.push_back({address + static_cast<std::uintptr_t>(reach.low),
                      address + static_cast<std::uintptr_t>(reach.high)});
    call.arrays.push_back(std::move(placed));
  }
  call.are_apart = AreApart(program, ranges);
  return call;
}

}  // namespace array_interface
