#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lexer.hpp"
#include "ptx/program/program.hpp"
#include "ptx/program/type.hpp"

namespace array_interface::cuda_simulator::ptx {

/// The part before the names of a declaration: ".align 8 .b8" and the like.
struct DeclaredType {
  Type type = Type::none;
  std::size_t elements = 1;   ///< of a vector
  std::size_t alignment = 0;  ///< 0: that of the type

  std::size_t size() const { return elements * size_of(type); }
};

/// One name of a declaration, with everything that determines its size.
struct Declared {
  std::string_view name;
  DeclaredType type;
  std::size_t size = 0;  ///< bytes; 0 for "name[]"
  std::size_t alignment = 1;
  bool unsized = false;     ///< "name[]"
  std::uint64_t range = 0;  ///< "name<range>" declares name0, name1 …; 0 for one name
  unsigned line = 0;
};

/// Parses alignment, vector size, attributes of pointers, and the type.
DeclaredType read_declared_type(Lexer& lexer);

/// Parses one name with its dimensions or range.
Declared read_declared_name(Lexer& lexer, const DeclaredType& type);

/// Parses "(.param .b32 a, .param .align 8 .b8 b[16])", including the parentheses.
std::vector<Declared> read_parameters(Lexer& lexer);

}  // namespace array_interface::cuda_simulator::ptx
