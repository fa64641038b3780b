#include "initializer.hpp"

#include <cstring>
#include <string>

namespace array_interface::cuda_simulator::ptx {
namespace {

class Initializer {
 public:
  Initializer(Lexer& lexer, const Declared& declared, const Linker& linker,
              std::vector<Relocation>& relocations)
      : lexer_(lexer), declared_(declared), linker_(linker), relocations_(relocations) {}

  std::vector<std::byte> read() {
    if (!lexer_.accept('{')) {
      read_value();
      return std::move(bytes_);
    }
    while (!lexer_.accept('}')) {
      if (!bytes_.empty()) lexer_.expect(',');
      read_value();
    }
    return std::move(bytes_);
  }

 private:
  void read_value() {
    const Token token = lexer_.peek();
    if (token.kind == Token::Kind::word) return read_address();
    const bool negative = lexer_.accept('-');
    const Token number = lexer_.next();
    if (number.kind == Token::Kind::integer) {
      append(negative ? 0 - number.bits : number.bits);
    } else if (number.kind == Token::Kind::single_bits || number.kind == Token::Kind::double_bits) {
      append(float_bits(number, negative));
    } else {
      refuse(number.line,
             "expected a value for '" + std::string(declared_.name) + "', got " + number.quoted());
    }
  }

  std::uint64_t float_bits(const Token& number, bool negative) const {
    double value = number.kind == Token::Kind::double_bits
                       ? bits_as<double>(number.bits)
                       : bits_as<float>(static_cast<std::uint32_t>(number.bits));
    if (negative) value = -value;
    if (size_of(declared_.type.type) == 8) return bits_as<std::uint64_t>(value);
    return bits_as<std::uint32_t>(static_cast<float>(value));
  }

  void read_address() {
    const unsigned line = lexer_.peek().line;
    const bool generic = lexer_.accept("generic");
    if (generic) lexer_.expect('(');
    const Token token = lexer_.peek();
    const Symbol symbol = linker_.find(lexer_.word("a name"));
    if (symbol.kind == Symbol::Kind::none) {
      refuse(line, "expected a name declared before, got " + token.quoted());
    }
    if (generic) lexer_.expect(')');
    std::int64_t addend = 0;
    if (lexer_.accept('+')) addend = lexer_.integer("an offset");
    if (size_of(declared_.type.type) != 8) {
      refuse(line, "expected an address in a variable of 64-bit type, got '" +
                       std::string(declared_.name) + "'");
    }
    relocations_.push_back({symbol, addend, bytes_.size(), generic, line});
    append(0);
  }

  void append(std::uint64_t bits) {
    const std::size_t size = size_of(declared_.type.type);
    const std::size_t end = bytes_.size() + size;
    if (!declared_.unsized && end > declared_.size) {
      refuse(lexer_.peek().line, "expected at most " + std::to_string(declared_.size) +
                                     " bytes of values for '" + std::string(declared_.name) +
                                     "', got more");
    }
    bytes_.resize(end);
    std::memcpy(bytes_.data() + end - size, &bits, size);
  }

  Lexer& lexer_;
  const Declared& declared_;
  const Linker& linker_;
  std::vector<Relocation>& relocations_;
  std::vector<std::byte> bytes_;
};

}  // namespace

std::vector<std::byte> read_initializer(Lexer& lexer, const Declared& declared,
                                        const Linker& linker,
                                        std::vector<Relocation>& relocations) {
  return Initializer(lexer, declared, linker, relocations).read();
}

}  // namespace array_interface::cuda_simulator::ptx
