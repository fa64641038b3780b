#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "lexer.hpp"

namespace array_interface::cuda_simulator::ptx {

/// An operand as written in the text.
struct Operand {
  enum class Kind : std::uint8_t {
    name,         ///< `name`, or `name+offset`
    integer,      ///< `bits`
    single_bits,  ///< `bits` of a float
    double_bits,  ///< `bits` of a double
    address,      ///< [name+offset], or [offset] if the name is empty
    vector,       ///< {a, b}: `elements`
    list,         ///< (a, b): `elements`
    pair,         ///< a|b: `elements`
  };
  explicit Operand(Kind its_kind = Kind::name, std::vector<Operand> its_elements = {})
      : kind(its_kind), elements(std::move(its_elements)) {}

  Kind kind;
  std::vector<Operand> elements;
  std::string_view name;
  std::int64_t offset = 0;
  bool negated = false;  ///< !p
  std::uint64_t bits = 0;
};

/// An instruction as written in the text.
struct Statement {
  unsigned line = 0;
  unsigned source_file = 0;  ///< as Linker::file_of numbers it; 0: unknown
  unsigned source_line = 0;
  std::string_view guard;  ///< the predicate's name, or empty
  bool guard_negated = false;
  std::string_view opcode;
  std::vector<Operand> operands;
};

/// Parses the operands of an instruction up to its semicolon.
std::vector<Operand> read_operands(Lexer& lexer);

}  // namespace array_interface::cuda_simulator::ptx
