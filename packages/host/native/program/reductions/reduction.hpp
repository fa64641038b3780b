#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "program/program.hpp"
#include "program/run_program.hpp"

namespace array_interface {

/// The places of the numbers of a tree among the parameters, as `Tree` has them.
struct TreePlaces {
  std::uint32_t first, total, lanes, rows, rest, leaf_rows, leaves, size, pieces;
};

/// A value of the only accumulator, a bool, that no further element changes.
enum class Absorbs : std::uint8_t { kNothing, kTrue, kFalse };

/// A scan of elements of an array, as they are there or converted, whose results are stored so.
struct PlainScan {
  std::uint32_t source;  ///< the array of `element` that is read
  std::uint32_t target;  ///< the array of `finish` that is written
  std::size_t size;      ///< of an accumulator
  std::size_t from_size;
  std::size_t to_size;
  bool is_exact;  ///< whether elements may be combined in any groups
  ScanLoops loops;
};

/// A reduction or a scan that was checked. ADR 36 has its tree.
///
/// Its programs are parts: their accumulators are arrays at places behind those of the parameters:
/// the first of a pair, the second ones, and the results.
struct Reduction {
  bool is_split;  ///< an item is a piece of a lane, and is stored at its own index
  bool is_scan;   ///< every element has an output
  std::uint32_t outer;
  std::uint32_t inner;
  TreePlaces places;
  std::vector<std::uint32_t> length_places;  ///< of all axes but the first outer and inner one
  std::vector<ValueType> types;              ///< of the accumulators
  std::vector<std::uint32_t> total_places;   ///< of a split scan: the totals of its leaves
  std::uint32_t parameters;                  ///< those of the kernel
  Program element;                           ///< the outer axes first
  Program element_across;                    ///< the same, the inner axes first
  Program pair;
  /// The same of one pair after another whose second one is an element: what is the same in each
  /// element, or in all that were combined so often, is one number.
  Program step;
  std::vector<bool> is_same;     ///< for each accumulator of an element
  std::vector<bool> stays_same;  ///< for each accumulator of what was combined
  Program finish;
  Method method;  ///< if it is not `kPairs`, `element` makes one accumulator: a value
  PlaceLoops places_of;
  MethodLoops method_loops;  ///< if `HasMethodLoops`
  Absorbs absorbs;
  std::vector<RunningLoops> loops;  ///< if `pair` is an operation for each accumulator; or empty
  /// Of elements as `element` makes them, which the loops convert to the accumulators' types.
  std::vector<ValueType> element_types;
  std::vector<ElementFolds> element_folds;  ///< as many as `loops`
  bool is_load;   ///< whether an element is one of an array, as it is there
  bool is_exact;  ///< whether elements may be combined in any order, apart from the bits of a NaN
  bool is_idempotent;  ///< whether they may also be combined twice
  std::optional<PlainScan> plain_scan;
};

/// Whether a reduction is the place of an element.
inline bool IsPlace(const Reduction& reduction) {
  return reduction.method == Method::kLeast || reduction.method == Method::kGreatest;
}

/// Whether a method has loops that combine elements, whose accumulators are float64.
inline bool HasMethodLoops(const Reduction& reduction) {
  return reduction.method == Method::kMoments || reduction.method == Method::kLogSumExp;
}

/// Whether loops combine elements, and not the program of a pair.
inline bool HasLoops(const Reduction& reduction) {
  return !reduction.loops.empty() || HasMethodLoops(reduction);
}

/// Whether bytes are those of a reduction.
bool IsReduction(const std::byte* bytes, std::size_t size);

/// Reads the bytes of a reduction for parameters of these types.
std::variant<Reduction, ProgramFault> ReadReduction(
    const std::byte* bytes, std::size_t size, const std::vector<ProgramParameter>& parameters);

/// The array that elements are, if they are loaded.
inline std::size_t SourceOf(const Reduction& reduction) {
  const std::vector<Instruction>& all = reduction.element.instructions;
  return all[all.back().operands[0]].source;
}

/// How many parts of `size` there are, of which the last may be smaller. None of no size.
inline std::uint64_t PartsOf(std::uint64_t all, std::uint64_t size) {
  return size == 0 ? 0 : (all - 1) / size + 1;
}

/// How elements are combined, and how that is cut.
struct Tree {
  std::uint64_t lanes, rows, rest, leaf_rows, leaves, size, pieces;
};

/// Outputs that are computed in another order than they lie in memory, or once for several places.
struct StagedOutputs {
  /// The axes of those that are computed, in their order, then those along which they repeat.
  std::vector<std::uint64_t> shape;
  std::size_t computed;             ///< how many axes are the former
  std::vector<PlacedArray> arrays;  ///< those of `finish`, with strides along all axes
};

/// A reduced axis whose elements are taken.
struct PlaceAxis {
  std::uint64_t length;
  std::uint64_t step;  ///< from an index to the next one, in places among all elements
};

/// A reduction with its arguments.
struct ReductionCall {
  const Reduction* reduction;
  Tree tree;
  std::size_t outer;       ///< the axes of `element` that outputs have
  std::uint64_t outputs;   ///< each computed once
  std::uint64_t elements;  ///< of an output, each taken once
  std::uint64_t repeats;   ///< how often each element counts, if they may be combined in any order
  std::uint64_t first;     ///< the outputs to compute
  std::uint64_t end;
  bool is_cut;     ///< of a scan: whether each leaf is scanned by itself, behind `totals`
  bool is_across;  ///< whether it computes many outputs at once, or many elements of one
  ProgramCall element;
  ProgramCall finish;
  /// Of a place, if elements that repeat are taken once: the reduced axes along which they do not.
  std::vector<PlaceAxis> place_axes;
  std::optional<StagedOutputs> staged;  ///< then `finish` writes outputs in a row
  std::vector<const std::byte*> totals;
  /// If outputs that are neighbours are so in memory, and the rows of their elements are evenly
  /// apart along the last reduced axis, which is the only one unless elements may be combined in
  /// any order: the outputs of such a row. Else 0.
  std::uint64_t row_outputs;
  /// If the elements of an output follow one another in memory, and outputs are evenly apart: the
  /// elements from an output to the next one.
  std::optional<std::size_t> output_step;
  /// If elements that may be combined in any order lie in rows, and there is one output, or the
  /// rows of neighbours are nearer to one another than to the next ones: the elements of a row.
  /// Else 0.
  std::uint64_t row_elements;

  /// Whether it is a scan that reads and writes all of its arrays as they are.
  bool IsPlainScan() const { return reduction->plain_scan && first == 0 && end == outputs; }
};

/// Checks the arguments of a reduction, as `BindProgram` those of a program.
std::variant<ReductionCall, ProgramFault> BindReduction(const Reduction& reduction,
                                                        const std::vector<std::uint64_t>& values,
                                                        const std::vector<Extent>& extents,
                                                        std::uint64_t count);

/// Computes the outputs on at most `threads` threads. Throws std::bad_alloc; then some are
/// computed.
void RunReduction(const ReductionCall& call, std::size_t threads);

}  // namespace array_interface
