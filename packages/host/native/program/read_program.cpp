#include <algorithm>
#include <cstring>
#include <utility>

#include "find_loop.hpp"
#include "program.hpp"
#include "words.hpp"

namespace array_interface {

namespace {

constexpr std::uint32_t kMagic = 0x50584941;  // "AIXP"
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kMostAxes = 64;
constexpr std::uint32_t kMostArrays = 1 << 16;
/// Some times the longest program that is compiled of a text.
constexpr std::uint32_t kMostInstructions = 1 << 17;

/// Core's codes of the types of numbers, in the order of ValueType.
constexpr std::uint32_t kCodes[kValueTypes] = {1, 0, 2, 4, 6, 1, 3, 5, 7, 8, 9};

/// The index of no operand.
constexpr std::size_t kNoNumber = 3;

std::size_t OperandsOf(Operation operation) {
  switch (operation) {
    case Operation::kLoad:
    case Operation::kScalar:
    case Operation::kConstant:
    case Operation::kIndex:
      return 0;
    case Operation::kNegate:
    case Operation::kAbsolute:
    case Operation::kSquareRoot:
    case Operation::kFloor:
    case Operation::kCeiling:
    case Operation::kTruncate:
    case Operation::kRoundToEven:
    case Operation::kNot:
    case Operation::kConvert:
    case Operation::kReinterpret:
    case Operation::kStore:
    case Operation::kExponential:
      return 1;
    case Operation::kSelect:
      return 3;
    default:
      return 2;
  }
}

bool IsComparison(Operation operation) {
  return operation == Operation::kEqual || operation == Operation::kLess ||
         operation == Operation::kLessEqual;
}

class Checker {
 public:
  Checker(const std::byte* bytes, std::size_t size, std::vector<ProgramParameter> parameters)
      : reader_(bytes, size) {
    program_.parameters = std::move(parameters);
  }

  Program Read() {
    std::uint32_t word = reader_.Next();
    Demand(word == kMagic, "the bytes of a program", word);
    word = reader_.Next();
    Demand(word == kVersion, "a program of version 1", word);
    const std::uint32_t rank = reader_.Next();
    Demand(rank >= 1 && rank <= kMostAxes, "1 to 64 axes", rank);
    program_.rank = rank;
    const std::uint32_t arrays = reader_.Below(kMostArrays, "fewer arrays");
    const std::uint32_t count = reader_.Below(kMostInstructions, "fewer instructions");
    program_.first_place = IndexPlace();
    program_.total_place = IndexPlace();
    for (std::uint32_t axis = 1; axis < rank; ++axis) {
      program_.length_places.push_back(IndexPlace());
    }
    for (std::uint32_t index = 0; index < arrays; ++index) program_.arrays.push_back(ReadArray());
    for (std::uint32_t index = 0; index < count; ++index) {
      program_.instructions.push_back(ReadInstruction());
    }
    Demand(reader_.left() == 0, "no bytes behind the instructions", reader_.left());
    return std::move(program_);
  }

 private:
  std::uint32_t IndexPlace() { return ReadIndexPlace(reader_, program_.parameters); }

  std::uint32_t Place() {
    return reader_.Below(program_.parameters.size(), "the place of a parameter");
  }

  static std::uint32_t CodeOf(ValueType type) { return kCodes[static_cast<std::size_t>(type)]; }

  ProgramArray ReadArray() {
    const std::uint32_t place = Place();
    const ProgramParameter& parameter = program_.parameters[place];
    Demand(parameter.type == ProgramParameter::kPointer, "the place of an array", place);
    const auto layout = static_cast<Layout>(reader_.Below(3, "a layout"));
    const std::uint32_t item_size = reader_.Next();
    Demand(item_size > 0 && item_size == parameter.item_size, "the array's size of an element",
           item_size);
    if (layout == Layout::kStrided) {
      const std::size_t end = place + 1 + program_.rank;
      Demand(end <= program_.parameters.size(), "a stride for each axis", place);
      for (std::size_t stride = place + 1; stride < end; ++stride) {
        const std::uint32_t code = program_.parameters[stride].type;
        Demand(code == CodeOf(ValueType::kInt64), "strides of int64", code);
      }
    }
    return {place, layout, item_size};
  }

  Instruction ReadInstruction() {
    const std::uint32_t head = reader_.Next();
    const std::uint32_t words[3] = {reader_.Next(), reader_.Next(), reader_.Next()};
    Demand((head & 0xff) < kOperations, "the number of an operation", head & 0xff);
    Demand((head >> 8) < kValueTypes, "the number of a type", head >> 8);
    Instruction made{};
    made.operation = static_cast<Operation>(head & 0xff);
    made.type = static_cast<ValueType>(head >> 8);
    made.slot = Instruction::kNowhere;
    made.number = kNoNumber;
    made.operand_count = OperandsOf(made.operation);
    const bool stores = made.operation == Operation::kStore;
    Demand(stores || !has_stored_, "nothing but stores behind a store", head & 0xff);
    has_stored_ = stores;
    if (stores) {
      ++program_.store_count;
      made.operands[0] = words[2];
    } else {
      std::copy(words, words + made.operand_count, made.operands);
    }
    for (std::size_t index = 0; index < made.operand_count; ++index) {
      const std::uint32_t operand = made.operands[index];
      const bool is_earlier = operand < program_.instructions.size() &&
                              program_.instructions[operand].operation != Operation::kStore;
      Demand(is_earlier, "an earlier instruction", operand);
    }
    switch (made.operation) {
      case Operation::kLoad:
      case Operation::kStore:
        ReadElement(made, words);
        break;
      case Operation::kConstant:
        made.bits = words[0] | static_cast<std::uint64_t>(words[1]) << 32;
        break;
      case Operation::kScalar:
        Demand(words[0] < program_.parameters.size(), "the place of a parameter", words[0]);
        Demand(program_.parameters[words[0]].type == CodeOf(made.type),
               "a parameter of the instruction's type", words[0]);
        made.source = words[0];
        break;
      case Operation::kIndex:
        Demand(made.type == ValueType::kInt64, "an index of int64", head >> 8);
        Demand(words[0] < program_.rank, "an axis", words[0]);
        Demand(words[1] < program_.rank - words[0], "further axes", words[1]);
        made.source = words[0];
        made.part = words[1];
        break;
      default:
        ReadOperation(made);
    }
    return made;
  }

  void ReadElement(Instruction& made, const std::uint32_t* words) {
    Demand(words[0] < program_.arrays.size(), "an array", words[0]);
    const ProgramArray& array = program_.arrays[words[0]];
    made.source = words[0];
    made.part = words[1];
    const std::size_t size = SizeOf(made.type);
    const bool fits = array.item_size % size == 0 && words[1] < array.item_size / size;
    Demand(fits, "a part of the element", words[1]);
    if (made.operation == Operation::kLoad) return;
    Demand(program_.parameters[array.place].is_written, "an array that is written", words[0]);
    Demand(TypeOf(made, 0) == made.type, "a value of the type that is stored", made.operands[0]);
  }

  ValueType TypeOf(const Instruction& made, std::size_t operand) const {
    return program_.instructions[made.operands[operand]].type;
  }

  void ReadOperation(Instruction& made) const {
    const ValueType from = TypeOf(made, made.operand_count - 1);
    std::size_t index = 0;
    if (made.operation == Operation::kSelect) {
      Demand(TypeOf(made, index++) == ValueType::kBool, "a condition that is a bool",
             made.operands[0]);
    }
    for (; index < made.operand_count; ++index) {
      Demand(TypeOf(made, index) == from, "operands of one type", made.operands[index]);
    }
    const auto operation = static_cast<std::uint64_t>(made.operation);
    if (made.operation == Operation::kReinterpret) {
      Demand(SizeOf(from) == SizeOf(made.type), "a type of as many bits", operation);
      return;
    }
    if (IsComparison(made.operation)) {
      Demand(made.type == ValueType::kBool, "a comparison that makes a bool", operation);
    } else if (made.operation != Operation::kConvert) {
      Demand(from == made.type, "a result of the operands' type", operation);
    }
    made.loop = FindLoop(made.operation, made.type, from);
    Demand(made.loop != nullptr, "an operation that the type has", operation);
  }

  Words reader_;
  Program program_{};
  bool has_stored_ = false;
};

bool IsNotANumber(const Instruction& one) {
  if (one.operation != Operation::kConstant) return false;
  if (one.type == ValueType::kFloat32) {
    return static_cast<std::uint32_t>(one.bits) == 0x7fc00000;
  }
  return one.type == ValueType::kFloat64 && one.bits == 0x7ff8000000000000;
}

/// Makes one pass of `select(not(equal(x, x)), NaN, x)`, which ends nearly every program of floats.
void Simplify(Program& program) {
  for (Instruction& one : program.instructions) {
    if (one.operation != Operation::kSelect || !IsFloat(one.type)) continue;
    const auto at = [&](std::uint32_t index) -> const Instruction& {
      return program.instructions[index];
    };
    const Instruction& condition = at(one.operands[0]);
    if (condition.operation != Operation::kNot || !IsNotANumber(at(one.operands[1]))) continue;
    const Instruction& test = at(condition.operands[0]);
    const std::uint32_t value = one.operands[2];
    const bool is_own = test.operation == Operation::kEqual && test.operands[0] == value &&
                        test.operands[1] == value;
    if (!is_own) continue;
    one.operation = Operation::kWithoutPayload;
    one.operands[0] = value;
    one.operand_count = 1;
    one.loop = FindLoop(one.operation, one.type, one.type);
  }
}

/// Finds the results that are the same for all elements. What an operation makes of them is one in
/// the program of a pair: in others, nothing is left to be computed of numbers alone.
void MarkSame(Program& program) {
  std::vector<Instruction>& all = program.instructions;
  for (Instruction& one : all) {
    one.is_same =
        one.operation == Operation::kConstant || one.operation == Operation::kScalar ||
        (one.operation == Operation::kLoad && program.arrays[one.source].layout == Layout::kOne);
    if (program.role != Role::kPair || one.loop == nullptr) continue;
    bool is_same = true;
    for (std::size_t index = 0; index < one.operand_count; ++index) {
      is_same = is_same && all[one.operands[index]].is_same;
    }
    one.is_same = is_same;
  }
}

/// Has operations take numbers as they are, instead of blocks that are filled with them.
void UseNumbers(Program& program) {
  const std::vector<Instruction>& all = program.instructions;
  for (Instruction& one : program.instructions) {
    if (one.loop == nullptr || one.operand_count != 2 || one.is_same) continue;
    for (const std::size_t number : {1, 0}) {
      const Instruction& operand = all[one.operands[number]];
      if (!operand.is_same) continue;
      const Loop loop = FindNumberLoop(one.operation, operand.type, number);
      if (loop == nullptr) continue;
      one.loop = loop;
      one.number = number;
      break;
    }
  }
}

/// Makes one pass of `a * b + number`, of which polynomials consist. Both are rounded as before.
void Fuse(Program& program) {
  std::vector<Instruction>& all = program.instructions;
  std::vector<std::uint32_t> uses(all.size(), 0);
  for (const Instruction& one : all) {
    for (std::size_t index = 0; index < one.operand_count; ++index) ++uses[one.operands[index]];
  }
  for (Instruction& one : all) {
    if (one.operation != Operation::kAdd || one.number == kNoNumber) continue;
    const std::uint32_t place = one.operands[1 - one.number];
    if (one.is_same) continue;
    const Instruction& product = all[place];
    const bool is_product = product.operation == Operation::kMultiply && uses[place] == 1;
    if (!is_product || product.number != kNoNumber) continue;
    one.operation = Operation::kMultiplyAdd;
    one.operands[2] = one.operands[one.number];
    one.operands[0] = product.operands[0];
    one.operands[1] = product.operands[1];
    one.operand_count = 3;
    one.number = 2;
    one.loop = FindNumberLoop(one.operation, one.type, one.number);
  }
}

/// Removes what no store needs.
void Prune(Program& program) {
  std::vector<Instruction>& all = program.instructions;
  std::vector<bool> is_needed(all.size(), false);
  for (std::size_t index = all.size(); index-- > 0;) {
    if (all[index].operation == Operation::kStore) is_needed[index] = true;
    if (!is_needed[index]) continue;
    for (std::size_t one = 0; one < all[index].operand_count; ++one) {
      is_needed[all[index].operands[one]] = true;
    }
  }
  std::vector<std::uint32_t> places(all.size(), 0);
  std::uint32_t kept = 0;
  for (std::size_t index = 0; index < all.size(); ++index) {
    if (!is_needed[index]) continue;
    Instruction one = all[index];
    for (std::size_t operand = 0; operand < one.operand_count; ++operand) {
      one.operands[operand] = places[one.operands[operand]];
    }
    places[index] = kept;
    all[kept++] = one;
  }
  all.resize(kept);
}

/// For each instruction, the one whose block its bits are in.
std::vector<std::uint32_t> FindRoots(const std::vector<Instruction>& all) {
  std::vector<std::uint32_t> roots(all.size(), 0);
  for (std::uint32_t index = 0; index < all.size(); ++index) {
    const bool is_same_bits = all[index].operation == Operation::kReinterpret;
    roots[index] = is_same_bits ? roots[all[index].operands[0]] : index;
  }
  return roots;
}

/// Decides which results stay where an array has them, or are computed there.
void PlaceInArrays(Program& program, const std::vector<std::uint32_t>& roots) {
  std::vector<Instruction>& all = program.instructions;
  for (Instruction& one : all) {
    if (one.operation == Operation::kLoad) {
      // A bool of an array is any byte.
      one.is_in_array = one.type != ValueType::kBool && !one.is_same;
    }
  }
  for (std::uint32_t index = 0; index < all.size(); ++index) {
    Instruction& store = all[index];
    if (store.operation != Operation::kStore) continue;
    Instruction& stored = all[roots[store.operands[0]]];
    store.root = roots[store.operands[0]];
    // Another store may overwrite what was loaded, so it is kept.
    if (stored.operation == Operation::kLoad && program.role != Role::kElement) {
      stored.is_in_array = false;
    }
    store.is_in_array = stored.loop != nullptr && !stored.is_in_array && !stored.is_same;
    if (store.is_in_array) stored.is_in_array = true;
  }
}

bool NeedsSlot(const Program& program, const Instruction& one, bool is_in_blocks) {
  if (!is_in_blocks && one.is_same) return false;
  if (one.operation == Operation::kStore || one.operation == Operation::kReinterpret) return false;
  if (one.operation != Operation::kLoad || !one.is_in_array) return true;
  const ProgramArray& array = program.arrays[one.source];
  return array.layout != Layout::kDense || array.item_size != SizeOf(one.type);
}

/// Gives each result a slot, which later results get when nothing needs it any more.
void AssignSlots(Program& program, const std::vector<std::uint32_t>& roots) {
  std::vector<Instruction>& all = program.instructions;
  std::vector<std::size_t> last(all.size(), 0);
  std::vector<bool> is_in_blocks(all.size(), false);  // whether anything needs a block of it
  for (std::uint32_t index = 0; index < all.size(); ++index) {
    last[index] = index;
    for (std::size_t operand = 0; operand < all[index].operand_count; ++operand) {
      const std::uint32_t root = roots[all[index].operands[operand]];
      last[root] = index;
      if (operand != all[index].number) is_in_blocks[root] = true;
    }
  }
  std::vector<std::uint32_t> free;
  std::vector<std::vector<std::uint32_t>> ends(all.size());
  for (std::uint32_t index = 0; index < all.size(); ++index) {
    if (NeedsSlot(program, all[index], is_in_blocks[index])) {
      Instruction& one = all[index];
      program.slot_size = std::max(program.slot_size, SizeOf(one.type));
      // What is the same is filled once, for all blocks.
      if (free.empty() || one.is_same) {
        one.slot = static_cast<std::uint32_t>(program.slot_count++);
      } else {
        one.slot = free.back();
        free.pop_back();
      }
      if (!one.is_same) ends[last[index]].push_back(one.slot);
    }
    // Only now, so that no result is in a slot of its own operands.
    free.insert(free.end(), ends[index].begin(), ends[index].end());
  }
}

}  // namespace

std::uint32_t ReadIndexPlace(Words& words, const std::vector<ProgramParameter>& parameters) {
  const std::uint32_t place = words.Below(parameters.size(), "the place of a parameter");
  const std::uint32_t code = parameters[place].type;
  const bool is_index = code == kCodes[static_cast<std::size_t>(ValueType::kUint32)] ||
                        code == kCodes[static_cast<std::size_t>(ValueType::kUint64)];
  Demand(is_index, "a parameter of uint32 or uint64", place);
  return place;
}

std::variant<Program, ProgramFault> ReadProgram(const std::byte* bytes, std::size_t size,
                                                std::vector<ProgramParameter> parameters, Role role,
                                                const std::vector<std::uint32_t>& same) {
  try {
    Program program = Checker(bytes, size, std::move(parameters)).Read();
    program.role = role;
    for (ProgramArray& array : program.arrays) {
      const bool is_same = std::find(same.begin(), same.end(), array.place) != same.end();
      if (is_same) array.layout = Layout::kOne;
    }
    Simplify(program);
    MarkSame(program);
    UseNumbers(program);
    Fuse(program);
    Prune(program);
    const std::vector<std::uint32_t> roots = FindRoots(program.instructions);
    PlaceInArrays(program, roots);
    AssignSlots(program, roots);
    return program;
  } catch (BadProgram& fault) {
    return std::move(fault.message);
  }
}

}  // namespace array_interface
