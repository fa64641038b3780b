#include "declaration.hpp"

#include <string>

namespace array_interface::cuda_simulator::ptx {
namespace {

constexpr std::size_t largest_variable = std::size_t{1} << 40;
constexpr std::uint64_t most_registers = 1 << 20;

std::size_t read_alignment(Lexer& lexer) {
  const unsigned line = lexer.peek().line;
  const std::int64_t alignment = lexer.integer("an alignment");
  if (alignment < 1 || alignment > 4096 || (alignment & (alignment - 1)) != 0) {
    refuse(line, "expected an alignment that is a power of two, got " + std::to_string(alignment));
  }
  return static_cast<std::size_t>(alignment);
}

}  // namespace

DeclaredType read_declared_type(Lexer& lexer) {
  DeclaredType declared;
  for (;;) {
    const Token token = lexer.peek();
    const std::string_view word = lexer.word("a type");
    if (word == ".align") {
      declared.alignment = read_alignment(lexer);
    } else if (word == ".v2" || word == ".v4") {
      declared.elements = static_cast<std::size_t>(word[2] - '0');
    } else if (word == ".attribute") {
      lexer.expect('(');
      lexer.skip_past(')');
    } else {
      declared.type = word[0] == '.' ? type_named(word.substr(1)) : Type::none;
      if (declared.type == Type::none) refuse(token.line, "expected a type, got " + token.quoted());
      break;
    }
  }
  while (lexer.peek().is(".ptr") || lexer.peek().is(".global") || lexer.peek().is(".const") ||
         lexer.peek().is(".shared") || lexer.peek().is(".local") || lexer.peek().is(".align")) {
    if (lexer.next().text == ".align") read_alignment(lexer);  // of what a pointer points to
  }
  return declared;
}

Declared read_declared_name(Lexer& lexer, const DeclaredType& type) {
  Declared declared;
  declared.line = lexer.peek().line;
  declared.name = lexer.word("a name");
  declared.type = type;
  declared.alignment = type.alignment != 0 ? type.alignment : type.size();
  declared.size = type.size();
  if (lexer.accept('<')) {
    const std::int64_t range = lexer.integer("how many registers");
    if (range < 0 || static_cast<std::uint64_t>(range) > most_registers) {
      refuse(declared.line, "expected at most 2^20 registers, got " + std::to_string(range));
    }
    declared.range = range == 0 ? 1 : static_cast<std::uint64_t>(range);
    lexer.expect('>');
  }
  while (lexer.accept('[')) {
    if (lexer.accept(']')) {
      declared.unsized = true;
      continue;
    }
    const std::int64_t length = lexer.integer("a length");
    if (length < 0 ||
        __builtin_mul_overflow(declared.size, static_cast<std::size_t>(length), &declared.size) ||
        declared.size > largest_variable) {
      refuse(declared.line,
             "expected a variable of at most 2^40 bytes, got length " + std::to_string(length));
    }
    lexer.expect(']');
  }
  if (declared.unsized) declared.size = 0;
  return declared;
}

std::vector<Declared> read_parameters(Lexer& lexer) {
  std::vector<Declared> parameters;
  lexer.expect('(');
  while (!lexer.accept(')')) {
    if (!parameters.empty()) lexer.expect(',');
    if (!lexer.accept(".param")) {
      refuse(lexer.peek().line, "expected .param, got " + lexer.peek().quoted() +
                                    "; the CUDA simulator passes no parameters in registers");
    }
    parameters.push_back(read_declared_name(lexer, read_declared_type(lexer)));
  }
  return parameters;
}

}  // namespace array_interface::cuda_simulator::ptx
