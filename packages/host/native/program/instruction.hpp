#pragma once

#include <cstddef>
#include <cstdint>

namespace array_interface {

/// The types of a program's values, by the numbers that they have in its bytes. A bool is a byte,
/// 0 or 1.
enum class ValueType : std::uint8_t {
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kFloat32,
  kFloat64,
};
constexpr std::uint32_t kValueTypes = 11;

/// What an instruction does, by its number in a program's bytes. ADR 35 defines each.
enum class Operation : std::uint8_t {
  kLoad,
  kScalar,
  kConstant,
  kIndex,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kQuotient,
  kRemainder,
  kNegate,
  kAbsolute,
  kSquareRoot,
  kFloor,
  kCeiling,
  kTruncate,
  kRoundToEven,
  kMinimum,
  kMaximum,
  kAnd,
  kOr,
  kXor,
  kNot,
  kShiftLeft,
  kShiftRight,
  kEqual,
  kLess,
  kLessEqual,
  kSelect,
  kConvert,
  kReinterpret,
  kStore,
  /// e^x of a float64: what @array-interface/expressions makes of other operations, at once.
  kExponential,
  /// Not in bytes, as the next one: a float, or the NaN without sign and payload.
  kWithoutPayload,
  /// The product of two floats, and a third.
  kMultiplyAdd,
};
constexpr std::uint32_t kOperations = 33;

/// The bytes of a value.
constexpr std::size_t SizeOf(ValueType type) {
  switch (type) {
    case ValueType::kBool:
    case ValueType::kInt8:
    case ValueType::kUint8:
      return 1;
    case ValueType::kInt16:
    case ValueType::kUint16:
      return 2;
    case ValueType::kInt32:
    case ValueType::kUint32:
    case ValueType::kFloat32:
      return 4;
    default:
      return 8;
  }
}

constexpr bool IsFloat(ValueType type) {
  return type == ValueType::kFloat32 || type == ValueType::kFloat64;
}

/// Computes `count` values of a block. `to` overlaps no operand. All addresses have the alignment
/// of their types.
using Loop = void (*)(void* to, const void* const* operands, std::size_t count);

/// Groups of rows that are combined to one row each.
struct FoldShape {
  std::size_t groups;
  std::size_t rows;         ///< of a group
  std::size_t width;        ///< of a row
  std::ptrdiff_t row_step;  ///< from a row to the next one
  std::size_t from_step;    ///< from a group to the next one
  /// From a result to the next one: at most half of `from_step` if they overlap.
  std::size_t to_step;
  bool adds;                 ///< whether the results begin with what is there
  std::ptrdiff_t ahead = 0;  ///< bytes from an element to one that is needed soon; 0: not known
};

/// Combines the rows of each group, one after another. `to` may be where `from` is.
using FoldLoop = void (*)(void* to, const void* from, const FoldShape& shape);

/// Loops that combine elements, which they may convert.
struct ElementFolds {
  FoldLoop fold = nullptr;
  /// Combines 2 to 31 rows of one group, at least eight wide, in the order of a tree whose lanes
  /// have a row or two each. `to` is apart, and `ahead` known. Null if the operation has no order.
  FoldLoop few = nullptr;
};

/// Loops that combine values of one type by one operation.
struct RunningLoops {
  ElementFolds folds;
  /// Combines the lanes of each of some groups in halves: a power of two, from 8 on. The groups
  /// follow one another, and so do the results, which are written where they are. More than 32
  /// lanes are combined in another order.
  void (*halve)(void* values, std::size_t groups, std::size_t lanes) = nullptr;
  /// Combines `first` with `count` values, one after another, and writes what there is each time.
  void (*scan)(void* to, const void* first, const void* elements, std::size_t count) = nullptr;
};

/// Elements of some outputs that are scanned.
struct ScanShape {
  std::size_t rows;          ///< elements of each output
  std::size_t width;         ///< outputs
  std::ptrdiff_t from_row;   ///< bytes from an element of an output to the next one
  std::ptrdiff_t from_lane;  ///< bytes from an output to the next one
  std::ptrdiff_t to_row;     ///< the same of what is written
  std::ptrdiff_t to_lane;
  bool starts;  ///< whether a leaf begins with the first elements
};

/// What there is of each output.
struct ScanState {
  void* own;           ///< of the leaf until now
  const void* before;  ///< of all leaves before; null if there are none
  void* total;         ///< of both together, which is written
};

/// Scans elements and writes results, which may be where the elements are.
using ScanLoop = void (*)(void* to, const void* from, const ScanShape& shape,
                          const ScanState& state);

/// Loops that scan elements of one type to results of another.
struct ScanLoops {
  ScanLoop across;  ///< outputs that are neighbours, one row of elements after another
  ScanLoop along;   ///< one output after another
};

/// Loops that find where the least or the greatest of some values is: the first of equal ones, or
/// the first NaN.
struct PlaceLoops {
  /// Compares `count` values, at places from `first` on, with the best one until now.
  void (*along)(const void* values, std::size_t count, void* best, std::int64_t* place,
                std::int64_t first);
  /// Compares rows of values, at places from `first` on, with the best ones until now, if it adds.
  void (*across)(const void* values, const FoldShape& shape, void* best, std::int64_t* places,
                 std::int64_t first);
};

/// What is computed without the program of a pair: the place of one element, moments, or the
/// greatest element and the sum of the exponentials of all less it.
enum class Method : std::uint8_t { kPairs, kLeast, kGreatest, kMoments, kLogSumExp };

/// Where the accumulators are of a method with loops of its own: a row of float64 for each.
using MethodRows = double* const*;

/// Loops of a method.
struct MethodLoops {
  /// Takes the rows of each group of elements, as a `FoldLoop`. With `adds`, what is there is of as
  /// many elements in all of a row.
  void (*fold)(MethodRows to, const void* from, const FoldShape& shape);
  /// Merges `count` pairs. `to` may be one of both.
  void (*merge)(MethodRows a, MethodRows b, MethodRows to, std::size_t count);
};

}  // namespace array_interface
