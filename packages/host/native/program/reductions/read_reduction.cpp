#include <algorithm>
#include <optional>
#include <utility>

#include "plain_scan.hpp"
#include "program/find_loop.hpp"
#include "program/words.hpp"
#include "reduction.hpp"

namespace array_interface {

namespace {

constexpr std::uint32_t kMagic = 0x52584941;  // "AIXR"
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kMostAxes = 64;
constexpr std::uint32_t kMostAccumulators = 256;

/// Where the accumulators of a reduction are among the parameters of its programs.
struct Accumulators {
  std::uint32_t start;
  std::uint32_t count;

  /// Whether a place is that of one of some in a row.
  bool Has(std::uint32_t place, std::uint32_t from, std::uint32_t to) const {
    return place >= start + from * count && place < start + to * count;
  }
};

std::vector<ProgramParameter> WithAccumulators(std::vector<ProgramParameter> parameters,
                                               const std::vector<ValueType>& types) {
  for (int set = 0; set < 3; ++set) {
    for (const ValueType type : types) {
      const auto size = static_cast<std::uint32_t>(SizeOf(type));
      parameters.push_back({ProgramParameter::kPointer, size, 0, true});
    }
  }
  return parameters;
}

Program ReadPart(Words& words, std::uint32_t size, std::vector<ProgramParameter> parameters,
                 Role role, const std::vector<std::uint32_t>& same = {}) {
  const std::size_t bytes = std::size_t{size} * sizeof(std::uint32_t);
  auto read = ReadProgram(words.Take(bytes), bytes, std::move(parameters), role, same);
  if (auto* const fault = std::get_if<ProgramFault>(&read)) throw BadProgram{std::move(*fault)};
  return std::move(std::get<Program>(read));
}

/// Accumulators are read where they are, and the results are the first of them, in order.
void CheckPart(const Program& program, const std::vector<ValueType>& types, const Accumulators& own,
               std::uint32_t loads, std::uint32_t results) {
  std::uint32_t stores = 0;
  for (const Instruction& one : program.instructions) {
    const bool is_index = one.operation == Operation::kIndex;
    Demand(loads == 0 || !is_index, "no index of an accumulator", one.source);
    if (one.operation != Operation::kLoad && one.operation != Operation::kStore) continue;
    const auto& [place, layout, item_size] = program.arrays[one.source];
    if (one.operation == Operation::kStore && program.role != Role::kWhole) {
      Demand(place == own.start + 2 * own.count + stores, "results in order", place);
      Demand(one.type == types[stores++], "results of the accumulators' types", place);
    } else if (one.operation == Operation::kLoad && loads > 0) {
      const bool is_dense = layout == Layout::kDense && item_size == SizeOf(one.type);
      Demand(is_dense && own.Has(place, 0, loads), "accumulators in a row", place);
    } else {
      Demand(place < own.start, "an array of the kernel", place);
    }
  }
  const bool is_whole = program.role == Role::kWhole || stores == results;
  Demand(is_whole, "a result for each accumulator", stores);
}

/// An index counts outer axes, or those that are reduced.
void CheckIndices(const Reduction& made) {
  for (const Instruction& one : made.element.instructions) {
    if (one.operation != Operation::kIndex) continue;
    const bool is_one_kind = one.source >= made.outer || one.source + one.part < made.outer;
    Demand(is_one_kind, "an index of outer or of reduced axes", one.source);
  }
}

/// All of the kernel's arrays have strides, or the outputs of pieces are in a row.
void CheckLayouts(const Program& program, const Accumulators& own, Layout layout,
                  std::size_t rank) {
  Demand(program.rank == rank, "the axes of the reduction", program.rank);
  for (const ProgramArray& array : program.arrays) {
    const bool is_right = array.place >= own.start || array.layout == layout;
    Demand(is_right, "another layout", static_cast<std::uint64_t>(array.layout));
  }
}

/// Finds loops for accumulators that are each combined by one operation.
std::vector<RunningLoops> FindLoops(const Program& pair, const Accumulators& own) {
  const std::vector<Instruction>& all = pair.instructions;
  std::vector<RunningLoops> loops;
  for (const Instruction& store : all) {
    if (store.operation != Operation::kStore) continue;
    const Instruction& one = all[store.operands[0]];
    if (one.operand_count != 2) return {};
    const auto index = static_cast<std::uint32_t>(loops.size());
    for (std::uint32_t set = 0; set < 2; ++set) {
      const Instruction& operand = all[one.operands[set]];
      const bool is_own = operand.operation == Operation::kLoad && operand.type == one.type &&
                          pair.arrays[operand.source].place == own.start + set * own.count + index;
      if (!is_own) return {};
    }
    loops.push_back(FindRunningLoops(one.operation, one.type));
    if (loops.back().folds.fold == nullptr) return {};
  }
  return loops;
}

/// What the last instructions before a store do.
struct Conversion {
  std::uint32_t from;  ///< the value that they convert
  std::size_t length;  ///< their number
  bool is_test;        ///< whether they convert whether it is not 0
};

/// The value of which an instruction is whether it is not 0; itself, if there is none.
std::uint32_t TestedBy(const std::vector<Instruction>& all, std::uint32_t index) {
  const Instruction& one = all[index];
  if (one.operation != Operation::kNot || one.operands[0] + 1 != index) return index;
  const Instruction& test = all[one.operands[0]];
  if (test.operation != Operation::kEqual) return index;
  for (std::size_t operand = 0; operand < 2; ++operand) {
    const Instruction& other = all[test.operands[operand]];
    const bool is_zero = other.operation == Operation::kConstant && other.bits == 0;
    if (is_zero) return test.operands[1 - operand];
  }
  return index;
}

/// Finds what converts an element at last. Nothing if it is an instruction of another kind.
std::optional<Conversion> FindConversion(const std::vector<Instruction>& all) {
  const std::uint32_t last = all.back().operands[0];
  if (last + 2 != all.size()) return std::nullopt;
  const bool is_converted = all[last].operation == Operation::kConvert;
  const std::uint32_t value = is_converted ? all[last].operands[0] : last;
  const std::size_t length = is_converted ? 1 : 0;
  // Others may use what does not come right before.
  const std::uint32_t tested = value + 1 + length == last + 1 ? TestedBy(all, value) : value;
  if (tested != value) return Conversion{tested, length + 2, true};
  const bool is_bool = all[value].type == ValueType::kBool;
  const bool is_load = all[value].operation == Operation::kLoad;
  if (!is_converted && !(is_bool && is_load)) return std::nullopt;
  return Conversion{value, length, is_bool};
}

/// Has bools of an array, which may be any byte, read as they are there: for loops that test them.
void ReadBytes(Instruction& from) {
  if (from.operation != Operation::kLoad || from.type != ValueType::kBool || from.is_same) return;
  from.type = ValueType::kUint8;
  from.is_in_array = true;
}

/// Finds the loops that fold elements of a type, which convert or test them.
ElementFolds FindElementFolds(const Reduction& made, ValueType from, bool is_test) {
  const std::vector<Instruction>& pair = made.pair.instructions;
  const Operation operation = pair[pair.back().operands[0]].operation;
  if (is_test) return {FindTestFold(operation, made.types[0], from), nullptr};
  return FindConvertingFold(operation, made.types[0], from);
}

/// Has the loop that folds elements convert them, if it can.
void TakeConversion(Reduction& made) {
  std::vector<Instruction>& all = made.element.instructions;
  const std::optional<Conversion> found = FindConversion(all);
  if (!found || all[found->from].is_same) return;
  const auto& [index, length, is_test] = *found;
  Instruction& from = all[index];
  if (HasMethodLoops(made)) {
    if (is_test || from.type != ValueType::kFloat32) return;
  } else {
    const ElementFolds folds = FindElementFolds(made, from.type, is_test);
    if (folds.fold == nullptr) return;
    made.element_folds = {folds};
  }
  if (is_test) ReadBytes(from);
  made.element_types = {from.type};
  all.back().operands[0] = index;
  all.erase(all.end() - 1 - static_cast<std::ptrdiff_t>(length), all.end() - 1);
}

/// Finds the loops that take elements.
void FindElementLoops(Reduction& made) {
  const bool has_loops = HasMethodLoops(made);
  made.element_types = made.types;
  if (made.method != Method::kPairs)
    made.element_types = {made.types[made.method == Method::kMoments ? 2 : 0]};
  for (const RunningLoops& loops : made.loops) made.element_folds.push_back(loops.folds);
  if (has_loops || (made.loops.size() == 1 && !made.is_scan)) TakeConversion(made);
  if (has_loops) made.method_loops = FindMethodLoops(made.method, made.element_types[0]);
  if (!IsPlace(made)) return;
  made.places_of = FindPlaceLoops(made.types[0], made.method == Method::kLeast);
  std::vector<Instruction>& all = made.element.instructions;
  if (made.types[0] == ValueType::kBool) ReadBytes(all[all.back().operands[0]]);
}

/// Whether elements are those of an array, as they are there: bools may be any byte.
bool IsLoad(const Reduction& made) {
  const std::vector<Instruction>& all = made.element.instructions;
  const Instruction& one = all[all.back().operands[0]];
  if (made.element_types.size() > 1 || one.operation != Operation::kLoad || one.is_same)
    return false;
  const bool is_whole = made.element.arrays[one.source].item_size == SizeOf(one.type);
  return is_whole && one.type != ValueType::kBool;
}

/// Whether each accumulator is combined by an operation that does not round, and no element knows
/// its place.
bool IsExact(const Reduction& made) {
  const auto rounds = [](const Instruction& one) {
    const bool is_least = one.operation == Operation::kMinimum;
    return IsFloat(one.type) && one.operand_count == 2 && !is_least &&
           one.operation != Operation::kMaximum;
  };
  const auto is_index = [](const Instruction& one) { return one.operation == Operation::kIndex; };
  const std::vector<Instruction>& pair = made.pair.instructions;
  const std::vector<Instruction>& all = made.element.instructions;
  return !made.loops.empty() && !made.is_scan && !made.is_split &&
         std::none_of(pair.begin(), pair.end(), rounds) &&
         std::none_of(all.begin(), all.end(), is_index);
}

/// Whether each accumulator of an exact reduction is combined by an operation that has the same
/// result if it is done twice.
bool IsIdempotent(const Reduction& made) {
  const auto differs = [](const Instruction& one) {
    return one.operand_count == 2 && one.operation != Operation::kMinimum &&
           one.operation != Operation::kMaximum && one.operation != Operation::kAnd &&
           one.operation != Operation::kOr;
  };
  const std::vector<Instruction>& pair = made.pair.instructions;
  return made.is_exact && std::none_of(pair.begin(), pair.end(), differs);
}

Absorbs FindAbsorbing(const Reduction& made) {
  const bool is_bool = made.types.size() == 1 && made.types[0] == ValueType::kBool;
  if (!is_bool || made.loops.empty() || made.is_split || made.is_scan) return Absorbs::kNothing;
  const std::vector<Instruction>& all = made.pair.instructions;
  const Operation made_by = all[all.back().operands[0]].operation;
  if (made_by == Operation::kOr) return Absorbs::kTrue;
  return made_by == Operation::kAnd ? Absorbs::kFalse : Absorbs::kNothing;
}

/// Which accumulators are the same for all elements.
std::vector<bool> FindSame(const Program& element, std::uint32_t count) {
  std::vector<bool> is_same;
  for (const Instruction& store : element.instructions) {
    if (store.operation != Operation::kStore) continue;
    const Operation made = element.instructions[store.operands[0]].operation;
    is_same.push_back(made == Operation::kConstant || made == Operation::kScalar);
  }
  is_same.resize(count, false);
  return is_same;
}

/// Which of them are the same in all pairs of as many elements.
std::vector<bool> FindStaying(const Program& pair, const Accumulators& own,
                              std::vector<bool> stays) {
  for (bool is_over = false; !is_over;) {
    is_over = true;
    std::vector<bool> is_same;
    std::uint32_t stores = 0;
    for (const Instruction& one : pair.instructions) {
      // No program keeps what it reinterprets as one number.
      bool same = one.operation != Operation::kLoad && one.operation != Operation::kReinterpret;
      if (one.operation == Operation::kLoad)
        same = stays[(pair.arrays[one.source].place - own.start) % own.count];
      for (std::size_t index = 0; index < one.operand_count; ++index) {
        same = same && is_same[one.operands[index]];
      }
      is_same.push_back(same);
      if (one.operation != Operation::kStore) continue;
      const std::uint32_t index = stores++;
      if (same || !stays[index]) continue;
      stays[index] = false;
      is_over = false;
    }
  }
  return stays;
}

/// The same program for a loop whose inner axes come first.
Program Across(Program program, std::uint32_t outer, std::uint32_t inner) {
  for (Instruction& one : program.instructions) {
    if (one.operation != Operation::kIndex) continue;
    one.source = one.source < outer ? one.source + inner : one.source - outer;
  }
  return program;
}

Reduction Read(Words words, const std::vector<ProgramParameter>& parameters) {
  Demand(words.Next() == kMagic, "the bytes of a reduction", 0);
  Demand(words.Next() == kVersion, "a reduction of version 1", 0);
  Reduction made{};
  made.parameters = static_cast<std::uint32_t>(parameters.size());
  made.is_split = words.Below(2, "0 or 1") != 0;
  made.is_scan = words.Below(2, "0 or 1") != 0;
  made.outer = 1 + words.Below(kMostAxes, "fewer axes");
  made.inner = 1 + words.Below(kMostAxes, "fewer axes");
  const std::uint32_t count = words.Below(kMostAccumulators, "fewer accumulators");
  Demand(count > 0, "an accumulator", count);
  made.method = static_cast<Method>(words.Below(5, "0 to 4"));
  const bool is_whole = !made.is_split && !made.is_scan;
  const bool is_moments = made.method == Method::kMoments;
  Demand(!IsPlace(made) || (count == 2 && is_whole), "a value and a place", count);
  Demand(!is_moments || (count == 3 && is_whole), "three moments", count);
  const bool is_sum = made.method == Method::kLogSumExp;
  Demand(!is_sum || (count == 2 && is_whole), "a maximum and a sum", count);
  auto& at = made.places;
  for (std::uint32_t* const place : {&at.first, &at.total, &at.lanes, &at.rows, &at.rest,
                                     &at.leaf_rows, &at.leaves, &at.size, &at.pieces}) {
    *place = ReadIndexPlace(words, parameters);
  }
  for (std::uint32_t axis = 2; axis < made.outer + made.inner; ++axis) {
    made.length_places.push_back(ReadIndexPlace(words, parameters));
  }
  for (std::uint32_t index = 0; index < count; ++index) {
    made.types.push_back(static_cast<ValueType>(words.Below(kValueTypes, "a type")));
  }
  Demand(!IsPlace(made) || made.types[1] == ValueType::kInt64, "a place of int64", 1);
  const auto is_double = [](ValueType type) { return type == ValueType::kFloat64; };
  const bool are_doubles = std::all_of(made.types.begin(), made.types.end(), is_double);
  Demand(!HasMethodLoops(made) || are_doubles, "accumulators of float64", 0);
  for (std::uint32_t index = 0; made.is_scan && made.is_split && index < count; ++index) {
    const std::uint32_t place = words.Below(parameters.size(), "the place of a parameter");
    Demand(parameters[place].item_size == SizeOf(made.types[index]), "an array of totals", place);
    made.total_places.push_back(place);
  }
  const std::uint32_t sizes[3] = {words.Next(), words.Next(), words.Next()};
  const auto all = WithAccumulators(parameters, made.types);
  const Accumulators own{made.parameters, count};
  made.element = ReadPart(words, sizes[0], all, Role::kElement);
  Words of_pair = words;
  made.pair = ReadPart(words, sizes[1], all, Role::kPair);
  made.finish = ReadPart(words, sizes[2], all, Role::kWhole);
  Demand(words.left() == 0, "no bytes behind the programs", words.left());
  CheckPart(made.element, made.types, own, 0, made.method == Method::kPairs ? count : 1);
  CheckPart(made.pair, made.types, own, 2, count);
  CheckPart(made.finish, made.types, own, 1, 0);
  CheckIndices(made);
  const bool is_dense = made.is_split && !made.is_scan;
  const std::uint32_t rank = made.is_scan ? made.outer + made.inner : made.outer;
  CheckLayouts(made.element, own, Layout::kStrided, made.outer + made.inner);
  CheckLayouts(made.pair, own, Layout::kDense, 1);
  CheckLayouts(made.finish, own, is_dense ? Layout::kDense : Layout::kStrided, is_dense ? 1 : rank);
  for (ProgramArray& array : made.finish.arrays) {
    if (array.place < own.start) array.layout = Layout::kStrided;
  }
  if (made.method == Method::kPairs) made.loops = FindLoops(made.pair, own);
  FindElementLoops(made);
  made.element_across = Across(made.element, made.outer, made.inner);
  made.is_load = IsLoad(made);
  made.is_exact = IsExact(made);
  made.is_idempotent = IsIdempotent(made);
  made.absorbs = FindAbsorbing(made);
  made.plain_scan = FindPlainScan(made);
  made.is_same = FindSame(made.element, count);
  made.stays_same = FindStaying(made.pair, own, made.is_same);
  std::vector<std::uint32_t> same;
  for (std::uint32_t index = 0; index < count; ++index) {
    if (made.stays_same[index]) same.push_back(own.start + index);
    if (made.is_same[index]) same.push_back(own.start + count + index);
  }
  made.step = ReadPart(of_pair, sizes[1], all, Role::kPair, same);
  return made;
}

}  // namespace

bool IsReduction(const std::byte* bytes, std::size_t size) {
  return size >= sizeof kMagic && Words(bytes, size).Next() == kMagic;
}

std::variant<Reduction, ProgramFault> ReadReduction(
    const std::byte* bytes, std::size_t size, const std::vector<ProgramParameter>& parameters) {
  try {
    return Read({bytes, size}, parameters);
  } catch (BadProgram& fault) {
    return std::move(fault.message);
  }
}

}  // namespace array_interface
