#include <algorithm>
#include <cstring>
#include <memory>
#include <tuple>

#include "find_loop.hpp"
#include "kernels/host/on_threads.hpp"
#include "kernels/host/vectors/units.hpp"
#include "worker.hpp"

namespace array_interface {

namespace {

/// All blocks together fit a first cache, with room for the arrays themselves.
constexpr std::size_t kBlockBytes = std::size_t{24} << 10;
constexpr std::size_t kFewest = 128;
constexpr std::size_t kMost = 4096;
/// With so few, the elements of a part of a reduction fit a second cache.
constexpr std::size_t kFewSlots = 4;
/// The vectors of all processors.
constexpr std::size_t kAlignment = 64;
/// So many bytes of a program's widest type are written past the caches, so that no line is read
/// before it is written.
constexpr std::uint64_t kVastBytes = std::uint64_t{32} << 20;
/// Rows that are as long are computed by themselves, in place where they are contiguous.
constexpr std::uint64_t kLongRow = 128;
/// In shorter rows, values are moved one by one.
constexpr std::size_t kFewestOfLoop = 32;
/// How far ahead rows are asked for: a processor does not foresee where the next one begins.
constexpr std::size_t kAhead = 4096;
/// Fewer elements are done before another thread has started.
constexpr std::uint64_t kFewestOfThread = 1 << 15;

unsigned char* BytesAt(void* address) { return static_cast<unsigned char*>(address); }

/// Asks for a row of neighbours that is needed soon. Rows are `step` bytes apart, which may be any
/// number; 0: it is not known. Inlined: GCC drops calls of functions that only prefetch.
[[gnu::always_inline]] inline void AskForRow(const Row& row, std::int64_t step, std::size_t size) {
  const std::size_t bytes = row.count * size;
  if (step == 0 || bytes == 0 || bytes > kAhead) return;
  if (row.stride != static_cast<std::int64_t>(size)) return;
  const auto soon = reinterpret_cast<std::uintptr_t>(row.start) +
                    static_cast<std::uintptr_t>(step) * (kAhead / bytes);
  for (std::size_t at = 0; at < bytes; at += 64) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    __builtin_prefetch(reinterpret_cast<const void*>(soon + at), 0, 2);
  }
}

template <typename Unit>
void Fill(std::byte* to, std::uint64_t bits, std::size_t count) {
  std::fill_n(reinterpret_cast<Unit*>(to), count, static_cast<Unit>(bits));
}

}  // namespace

/// All arrays in C order are one long row.
bool Worker::IsFlat() const {
  const auto is_strided = [](const ProgramArray& one) { return one.layout == Layout::kStrided; };
  const auto is_index = [](const Instruction& one) { return one.operation == Operation::kIndex; };
  const auto& [arrays, all] = std::tie(program_.arrays, program_.instructions);
  return std::none_of(arrays.begin(), arrays.end(), is_strided) &&
         std::none_of(all.begin(), all.end(), is_index);
}

Worker::Worker(const ProgramCall& call, std::uint64_t count)
    : call_(call),
      program_(*call.program),
      shape_(call.shape),
      at_(program_.instructions.size(), nullptr),
      numbers_(program_.instructions.size(), 0),
      is_placed_(program_.instructions.size(), false) {
  const std::size_t each = std::max<std::size_t>(1, program_.slot_count * program_.slot_size);
  const std::size_t most = std::clamp(kBlockBytes / each / kFewest * kFewest, kFewest, kMost);
  is_past_caches_ = program_.role == Role::kWhole && call.are_apart &&
                    (call.end - call.first) * program_.slot_size >= kVastBytes;
  // The elements of a reduction are used together, if they need few slots.
  const bool is_one = program_.role == Role::kElement && program_.slot_count <= kFewSlots;
  block_ = static_cast<std::size_t>(is_one ? count : std::min<std::uint64_t>(most, count));
  slot_bytes_ = (block_ * program_.slot_size + kAlignment - 1) / kAlignment * kAlignment;
  const std::size_t bytes = std::max(kAlignment, slot_bytes_ * program_.slot_count);
  slots_ = std::make_unique<ScratchBlock>(bytes);
  if (IsFlat()) shape_ = {std::max<std::uint64_t>(1, call.end)};
  index_.resize(shape_.size());
  for (std::size_t index = 0; index < at_.size(); ++index) {
    const Instruction& one = program_.instructions[index];
    if (one.slot != Instruction::kNowhere) at_[index] = SlotOf(one);
  }
}

/// Computes a block of them, and returns how many they are.
std::size_t Worker::ComputeNext(std::uint64_t first, std::uint64_t end) {
  const std::uint64_t row = shape_.back();
  std::uint64_t count = std::min<std::uint64_t>(block_, end - first);
  if (is_stale_ || filled_ < count) FillSame(static_cast<std::size_t>(count));
  if (row >= kLongRow) count = std::min(count, row - first % row);
  Locate(first, static_cast<std::size_t>(count));
  ComputeBlock();
  return static_cast<std::size_t>(count);
}

/// Returns the bits of what is the same for all elements.
std::uint64_t Worker::SameOf(const Instruction& one) const {
  std::uint64_t bits = one.bits;
  if (one.operation == Operation::kScalar) {
    bits = call_.values[one.source];
  } else if (one.operation == Operation::kLoad) {
    const std::size_t size = SizeOf(one.type);
    bits = 0;
    std::memcpy(&bits, call_.arrays[one.source].base + one.part * size, size);
  } else if (one.loop != nullptr) {
    const void* operands[3] = {};
    for (std::size_t operand = 0; operand < one.operand_count; ++operand) {
      operands[operand] = &numbers_[one.operands[operand]];
    }
    bits = 0;
    one.loop(&bits, operands, 1);
  }
  if (one.type == ValueType::kBool) bits = static_cast<std::uint8_t>(bits) != 0 ? 1 : 0;
  return bits;
}

/// Finds what is the same for all elements, and fills the blocks of it that are needed and do not
/// have it already.
void Worker::FillSame(std::size_t count) {
  const bool has_more = filled_ < count;
  filled_ = std::max(filled_, count);
  is_stale_ = false;
  for (std::size_t index = 0; index < at_.size(); ++index) {
    const Instruction& one = program_.instructions[index];
    if (!one.is_same) continue;
    const std::uint64_t bits = SameOf(one);
    const bool is_new = has_more || numbers_[index] != bits;
    numbers_[index] = bits;
    if (!is_new || one.slot == Instruction::kNowhere) continue;
    with_unit(static_cast<std::uint32_t>(SizeOf(one.type)), [&](auto unit) {
      if constexpr (sizeof unit <= sizeof bits) Fill<decltype(unit)>(SlotOf(one), bits, filled_);
    });
  }
}

void Worker::Locate(std::uint64_t first, std::size_t count) {
  first_ = first;
  count_ = count;
  for (std::size_t axis = shape_.size(); axis-- > 0;) {
    index_[axis] = axis == 0 ? first : first % shape_[axis];
    first /= shape_[axis];
  }
  is_in_row_ = index_.back() + count <= shape_.back();
}

Row Worker::RowOf(const Instruction& one) const {
  const auto& [base, strides, first] = call_.arrays[one.source];
  std::byte* start = base + one.part * SizeOf(one.type);
  if (program_.arrays[one.source].layout == Layout::kDense) {
    const auto before = static_cast<std::int64_t>(first_ - first);
    return {start + before * strides.back(), strides.back(), count_};
  }
  for (std::size_t axis = 0; axis < index_.size(); ++axis) {
    start += static_cast<std::int64_t>(index_[axis]) * strides[axis];
  }
  return {start, strides.back(), count_};
}

template <typename Work>
void Worker::ForEachRow(const Instruction& one, Work&& work) const {
  const std::vector<std::int64_t>& strides = call_.arrays[one.source].strides;
  std::vector<std::uint64_t> index = index_;
  Row row = RowOf(one);
  const std::size_t last = shape_.size() - 1;
  for (std::size_t done = 0; done < count_; done += row.count) {
    const std::uint64_t left = shape_[last] - index[last];
    row.count = static_cast<std::size_t>(std::min<std::uint64_t>(count_ - done, left));
    work(row, done);
    if (row.count < left) return;
    row.start -= static_cast<std::int64_t>(index[last]) * strides[last];
    index[last] = 0;
    for (std::size_t axis = last; axis-- > 0;) {
      row.start += strides[axis];
      if (++index[axis] < shape_[axis]) break;
      if (axis == 0) return;  // the end of all elements
      row.start -= static_cast<std::int64_t>(shape_[axis]) * strides[axis];
      index[axis] = 0;
    }
  }
}

/// The bytes from a row of an array to the next one, or 0: a dense array is one row.
std::int64_t Worker::StepOfRows(const Instruction& one) const {
  const std::vector<std::int64_t>& strides = call_.arrays[one.source].strides;
  const bool is_dense = program_.arrays[one.source].layout == Layout::kDense;
  return is_dense || strides.size() < 2 ? 0 : strides[strides.size() - 2];
}

/// Returns where the results of a load are.
const void* Worker::Load(const Instruction& one) const {
  const std::size_t size = SizeOf(one.type);
  if (count_ == shape_.back()) AskForRow(RowOf(one), StepOfRows(one), size);
  if (one.is_in_array && IsRow(one)) {
    const Row row = RowOf(one);
    if (row.stride == static_cast<std::int64_t>(size)) return row.start;
  }
  std::byte* const slot = SlotOf(one);
  const auto gather = [&](const Row& row, std::size_t done) {
    unsigned char* const to = BytesAt(slot + done * size);
    if (row.stride == static_cast<std::int64_t>(size)) {
      std::memcpy(to, row.start, row.count * size);
      return;
    }
    const auto item_size = static_cast<std::int64_t>(size);
    const bool are_items = row.count >= kFewestOfLoop && row.stride % item_size == 0;
    const Loop loop = are_items ? FindStepLoop(one.type, row.stride / item_size) : nullptr;
    if (loop != nullptr) {
      const void* const operand = row.start;
      return loop(to, &operand, row.count);
    }
    with_unit(static_cast<std::uint32_t>(size), [&](auto unit) {
      move_units<decltype(unit)>(to, size, BytesAt(row.start), row.stride,
                                 static_cast<std::int64_t>(row.count));
    });
  };
  if (IsRow(one)) {
    gather(RowOf(one), 0);
  } else {
    const std::int64_t step = StepOfRows(one);
    ForEachRow(one, [&](const Row& row, std::size_t done) {
      if (row.count == shape_.back()) AskForRow(row, step, size);
      gather(row, done);
    });
  }
  if (one.type == ValueType::kBool) {
    std::transform(slot, slot + count_, slot,
                   [](std::byte value) { return std::byte{value != std::byte{0}}; });
  }
  return slot;
}

void Worker::Store(const Instruction& one) const {
  const std::size_t size = SizeOf(one.type);
  const auto* const from = static_cast<const std::byte*>(at_[one.operands[0]]);
  const auto scatter = [&](const Row& row, std::size_t done) {
    const auto* const source = reinterpret_cast<const unsigned char*>(from + done * size);
    if (row.stride == static_cast<std::int64_t>(size)) {
      auto* const to = BytesAt(row.start);
      if (is_past_caches_) return write_past_caches(to, source, row.count * size);
      std::memcpy(to, source, row.count * size);
      return;
    }
    with_unit(static_cast<std::uint32_t>(size), [&](auto unit) {
      move_units<decltype(unit)>(BytesAt(row.start), row.stride, source, size,
                                 static_cast<std::int64_t>(row.count));
    });
  };
  if (IsRow(one)) {
    scatter(RowOf(one), 0);
  } else {
    ForEachRow(one, scatter);
  }
}

void Worker::FillIndices(const Instruction& one) const {
  auto* const to = reinterpret_cast<std::int64_t*>(SlotOf(one));
  const std::size_t behind = one.source + one.part + 1;
  std::uint64_t inner = 1;
  std::uint64_t done = 0;  // in the elements that share an index
  for (std::size_t axis = behind; axis < shape_.size(); ++axis) {
    inner *= shape_[axis];
    done = done * shape_[axis] + index_[axis];
  }
  std::uint64_t length = 1;
  std::uint64_t index = 0;
  for (std::size_t axis = one.source; axis < behind; ++axis) {
    length *= shape_[axis];
    index = index * shape_[axis] + index_[axis];
  }
  for (std::size_t at = 0; at < count_; ++at) {
    to[at] = static_cast<std::int64_t>(index);
    if (++done < inner) continue;
    done = 0;
    if (++index == length) index = 0;
  }
}

/// Decides which results are computed in the arrays themselves.
void Worker::PlaceStores() {
  for (std::size_t index = 0; index < at_.size(); ++index) {
    const Instruction& store = program_.instructions[index];
    if (store.operation != Operation::kStore || !store.is_in_array) continue;
    const Row row = RowOf(store);
    const bool is_placed = IsRow(store) && call_.are_apart && !is_past_caches_ &&
                           row.stride == static_cast<std::int64_t>(SizeOf(store.type));
    is_placed_[index] = is_placed;
    at_[store.root] = is_placed ? row.start : SlotOf(program_.instructions[store.root]);
  }
}

void Worker::ComputeBlock() {
  if (program_.role == Role::kWhole) PlaceStores();
  for (std::size_t index = 0; index < at_.size(); ++index) {
    const Instruction& one = program_.instructions[index];
    if (one.is_same) continue;  // filled before
    if (one.loop != nullptr) {
      const void* operands[3] = {};
      for (std::size_t operand = 0; operand < one.operand_count; ++operand) {
        const std::uint32_t from = one.operands[operand];
        operands[operand] = operand == one.number ? &numbers_[from] : at_[from];
      }
      one.loop(const_cast<void*>(at_[index]), operands, count_);
      continue;
    }
    switch (one.operation) {
      case Operation::kLoad:
        at_[index] = Load(one);
        break;
      case Operation::kIndex:
        FillIndices(one);
        break;
      case Operation::kReinterpret:
        at_[index] = at_[one.operands[0]];
        break;
      case Operation::kStore:
        if (program_.role == Role::kWhole && !is_placed_[index]) Store(one);
        break;
      default:
        break;
    }
  }
}

void RunProgram(const ProgramCall& call, std::size_t threads) {
  const std::uint64_t count = call.end - call.first;
  if (count == 0) return;
  const std::uint64_t parts =
      std::clamp<std::uint64_t>(count / kFewestOfThread, 1, std::max<std::size_t>(1, threads));
  const auto at = [&](std::uint64_t part) {
    // Parts end at whole cache lines of any type, if the arrays begin at one.
    const std::uint64_t end = count / parts * part / kAlignment * kAlignment;
    return call.first + (part == parts ? count : end);
  };
  on_threads(static_cast<std::size_t>(parts),
             [&](std::size_t part) { Worker(call, count).Run(at(part), at(part + 1)); });
}

}  // namespace array_interface
