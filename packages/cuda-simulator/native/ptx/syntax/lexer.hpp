#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace array_interface::cuda_simulator::ptx {

/// A piece of PTX text. A word is a name, an opcode with its modifiers, or a directive.
struct Token {
  enum class Kind { word, integer, single_bits, double_bits, string, symbol, end };

  Kind kind = Kind::end;
  std::string_view text;
  std::uint64_t bits = 0;  ///< value of a number: an integer, or the bits of a float or double
  unsigned line = 1;

  bool is(char symbol) const { return kind == Kind::symbol && text[0] == symbol; }
  bool is(std::string_view word) const { return kind == Kind::word && text == word; }
  /// Returns the token as messages show it.
  std::string quoted() const;
};

/// Splits PTX into tokens, one token ahead. Throws Refusal for text that is not PTX.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { advance(); }

  const Token& peek() const { return token_; }
  Token next();

  /// Takes the token if it is this symbol or word.
  bool accept(char symbol);
  bool accept(std::string_view word);

  void expect(char symbol);
  /// Takes a word. The refusal names `what` was expected.
  std::string_view word(const char* what);
  /// Takes an integer, with its sign.
  std::int64_t integer(const char* what);

  /// Skips everything up to this symbol, and the symbol.
  void skip_past(char symbol);
  /// Skips everything else on the line of `token`.
  void skip_line(const Token& token);

 private:
  void advance();
  void skip_blanks();
  void read_number();
  void read_bits(std::size_t digits, Token::Kind kind);
  void read_string();
  char at(std::size_t place) const { return place < text_.size() ? text_[place] : '\0'; }

  std::string_view text_;
  std::size_t place_ = 0;
  unsigned line_ = 1;
  Token token_;
};

}  // namespace array_interface::cuda_simulator::ptx
