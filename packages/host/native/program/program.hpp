#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "instruction.hpp"

namespace array_interface {

/// How an array lies along the axes of a program's loop: in C order, as one element for all, or
/// with the strides that follow its address.
enum class Layout : std::uint8_t { kDense, kOne, kStrided };

/// A value that a program takes: 8 bytes, as core passes them.
struct ProgramParameter {
  static constexpr std::uint32_t kPointer = 10;  ///< core's code
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::uint32_t type;       ///< core's code; kNone within a struct
  std::uint32_t item_size;  ///< of an array
  std::uint32_t index;      ///< of an array among the arrays
  bool is_written;          ///< an array that the kernel declares to write
};

/// An array of a program.
struct ProgramArray {
  std::uint32_t place;  ///< of its address among the parameters
  Layout layout;
  std::uint32_t item_size;
};

/// One step for each element, or for the part of it that is one number.
struct Instruction {
  static constexpr std::uint32_t kNowhere = UINT32_MAX;

  Operation operation;
  ValueType type;
  std::uint32_t operands[3];  ///< earlier instructions
  std::size_t operand_count;
  std::size_t number;    ///< the index of the operand that is one number for all; 3: none is
  std::uint64_t bits;    ///< of a constant
  std::uint32_t source;  ///< an array, a parameter or an axis
  std::uint32_t part;    ///< of the element, in numbers; of an index: further axes that it counts
  Loop loop;             ///< null if it needs none
  std::uint32_t slot;    ///< the block of memory for its results; kNowhere if it needs none
  /// Whether its results may be where the elements of an array are: of a `load`, if they are in a
  /// row; of an operation, if it is what a `store` puts there; of a `store`, if it is that one.
  bool is_in_array;
  bool is_same;        ///< whether the result is the same for all elements
  std::uint32_t root;  ///< of a `store`: the instruction that makes the bits
};

/// What becomes of the results of a program.
enum class Role : std::uint8_t {
  kWhole,    ///< they are stored
  kElement,  ///< of a reduction: they stay where they are, until the next block
  kPair,     ///< the same, and in blocks of their own
};

/// A program that was checked: whatever its arrays, it reads and writes nothing else.
struct Program {
  std::size_t rank;
  std::uint32_t first_place;                 ///< of the index of the first element
  std::uint32_t total_place;                 ///< of the number of elements of the loop
  std::vector<std::uint32_t> length_places;  ///< of the lengths of all axes but the first
  std::vector<ProgramParameter> parameters;
  std::vector<ProgramArray> arrays;
  std::vector<Instruction> instructions;  ///< ends with what stores
  std::size_t store_count;
  Role role;
  std::size_t slot_count;
  std::size_t slot_size;  ///< bytes for each element
};

/// How far neighbours are apart, less 1: those at the same place are the farthest, since they are
/// no row.
inline std::uint64_t DistanceOf(std::int64_t stride) {
  const auto step = static_cast<std::uint64_t>(stride);
  return stride < 0 ? ~step : step - 1;
}

/// What is wrong with a program, as "expected …, got …".
using ProgramFault = std::string;

/// Reads the bytes of a program, as ADR 35 describes them, for parameters of these types. The
/// arrays at the places `same` are one element for all.
std::variant<Program, ProgramFault> ReadProgram(const std::byte* bytes, std::size_t size,
                                                std::vector<ProgramParameter> parameters,
                                                Role role = Role::kWhole,
                                                const std::vector<std::uint32_t>& same = {});

}  // namespace array_interface
