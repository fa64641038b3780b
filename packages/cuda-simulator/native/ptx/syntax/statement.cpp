#include "statement.hpp"

#include <string>

#include "ptx/program/float16.hpp"
#include "ptx/program/refusal.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

Operand read_operand(Lexer& lexer, int depth);

/// Parses what follows a name: "+8", "-8" or "+-8".
std::int64_t read_offset(Lexer& lexer) {
  if (lexer.accept('+')) return lexer.integer("an offset");
  if (lexer.peek().is('-')) return lexer.integer("an offset");
  return 0;
}

std::vector<Operand> read_list(Lexer& lexer, char end, int depth) {
  std::vector<Operand> elements;
  while (!lexer.accept(end)) {
    if (!elements.empty()) lexer.expect(',');
    elements.push_back(read_operand(lexer, depth + 1));
  }
  return elements;
}

Operand read_address(Lexer& lexer) {
  Operand operand(Operand::Kind::address);
  if (lexer.peek().kind == Token::Kind::word) {
    operand.name = lexer.next().text;
    operand.offset = read_offset(lexer);
  } else {
    operand.offset = lexer.integer("an address");
  }
  lexer.expect(']');
  return operand;
}

Operand read_number(Lexer& lexer) {
  const bool negative = lexer.accept('-');
  const Token token = lexer.next();
  Operand operand;
  operand.bits = token.bits;
  if (token.kind == Token::Kind::integer) {
    operand.kind = Operand::Kind::integer;
    if (negative) operand.bits = 0 - token.bits;
  } else if (token.kind == Token::Kind::single_bits) {
    operand.kind = Operand::Kind::single_bits;
    if (negative) operand.bits ^= 0x80000000u;
  } else if (token.kind == Token::Kind::double_bits) {
    operand.kind = Operand::Kind::double_bits;
    if (negative) operand.bits ^= std::uint64_t{1} << 63;
  } else {
    refuse(token.line, "expected an operand, got " + token.quoted());
  }
  return operand;
}

Operand read_name(Lexer& lexer) {
  Operand operand;
  operand.negated = lexer.accept('!');
  operand.name = lexer.word("a name");
  operand.offset = read_offset(lexer);
  return operand;
}

Operand read_operand(Lexer& lexer, int depth) {
  if (depth > 4) refuse(lexer.peek().line, "expected an operand, got too many brackets");
  if (lexer.accept('[')) return read_address(lexer);
  if (lexer.accept('{')) return Operand(Operand::Kind::vector, read_list(lexer, '}', depth));
  if (lexer.accept('(')) return Operand(Operand::Kind::list, read_list(lexer, ')', depth));
  const bool named = lexer.peek().kind == Token::Kind::word || lexer.peek().is('!');
  Operand operand = named ? read_name(lexer) : read_number(lexer);
  if (!lexer.accept('|')) return operand;
  return Operand(Operand::Kind::pair, {operand, read_name(lexer)});
}

}  // namespace

std::vector<Operand> read_operands(Lexer& lexer) {
  std::vector<Operand> operands;
  while (!lexer.accept(';')) {
    if (!operands.empty()) lexer.expect(',');
    operands.push_back(read_operand(lexer, 0));
  }
  return operands;
}

}  // namespace array_interface::cuda_simulator::ptx
