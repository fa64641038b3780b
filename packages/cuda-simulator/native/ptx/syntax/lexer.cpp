#include "lexer.hpp"

#include <cstdlib>
#include <cstring>

#include "ptx/program/refusal.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// Whether a character can be part of a name or opcode. Dots join modifiers, as in ld.global.u32
/// and %tid.x.
bool is_inside_word(char c) { return is_letter(c) || is_digit(c) || c == '.'; }

}  // namespace

std::string Token::quoted() const {
  if (kind == Kind::end) return "the end of the text";
  return "'" + std::string(text.substr(0, 120)) + "'";
}

Token Lexer::next() {
  const Token token = token_;
  advance();
  return token;
}

bool Lexer::accept(char symbol) {
  if (!token_.is(symbol)) return false;
  advance();
  return true;
}

bool Lexer::accept(std::string_view word) {
  if (!token_.is(word)) return false;
  advance();
  return true;
}

void Lexer::expect(char symbol) {
  if (accept(symbol)) return;
  refuse(token_.line, std::string("expected '") + symbol + "', got " + token_.quoted());
}

std::string_view Lexer::word(const char* what) {
  if (token_.kind == Token::Kind::word) return next().text;
  refuse(token_.line, std::string("expected ") + what + ", got " + token_.quoted());
}

std::int64_t Lexer::integer(const char* what) {
  const bool negative = accept('-');
  if (token_.kind != Token::Kind::integer) {
    refuse(token_.line, std::string("expected ") + what + ", got " + token_.quoted());
  }
  const std::uint64_t bits = next().bits;
  return static_cast<std::int64_t>(negative ? 0 - bits : bits);
}

void Lexer::skip_past(char symbol) {
  while (!token_.is(symbol) && token_.kind != Token::Kind::end) advance();
  expect(symbol);
}

void Lexer::skip_line(const Token& token) {
  while (token_.kind != Token::Kind::end && token_.line == token.line) advance();
}

void Lexer::skip_blanks() {
  for (; place_ < text_.size(); ++place_) {
    const char c = text_[place_];
    if (c == '/' && at(place_ + 1) == '/') {
      while (place_ + 1 < text_.size() && text_[place_ + 1] != '\n') ++place_;
    } else if (c == '/' && at(place_ + 1) == '*') {
      const std::size_t end = text_.find("*/", place_ + 2);
      const std::size_t last = end == std::string_view::npos ? text_.size() - 1 : end + 1;
      for (; place_ < last; ++place_) line_ += text_[place_] == '\n';
    } else if (c == '\n') {
      ++line_;
    } else if (c != ' ' && c != '\t' && c != '\r' && c != '\f' && c != '\v') {
      return;
    }
  }
}

void Lexer::advance() {
  skip_blanks();
  token_ = Token{};
  token_.line = line_;
  const std::size_t start = place_;
  if (start >= text_.size()) return;
  const char c = text_[start];
  if (is_letter(c) || (c == '.' && is_letter(at(start + 1)))) {
    token_.kind = Token::Kind::word;
    // Two colons belong to a modifier, as in shared::cta; one ends a label.
    while (is_inside_word(at(place_)) ||
           (at(place_) == ':' && at(place_ + 1) == ':' && is_letter(at(place_ + 2)))) {
      place_ += at(place_) == ':' ? 2 : 1;
    }
  } else if (is_digit(c)) {
    read_number();
  } else if (c == '"') {
    read_string();
  } else {
    token_.kind = Token::Kind::symbol;
    ++place_;
  }
  token_.text = text_.substr(start, place_ - start);
}

void Lexer::read_bits(std::size_t digits, Token::Kind kind) {
  std::size_t end = place_ + 2;
  while (is_hex(at(end))) ++end;
  if (end - place_ - 2 != digits)
    refuse(line_, "expected a float in hexadecimal, got too few or too many digits");
  token_.kind = kind;
  token_.bits = std::strtoull(std::string(text_.substr(place_ + 2, digits)).c_str(), nullptr, 16);
  place_ = end;
}

void Lexer::read_number() {
  const char second = at(place_ + 1);
  const bool zero = text_[place_] == '0';
  if (zero && (second == 'f' || second == 'F')) return read_bits(8, Token::Kind::single_bits);
  if (zero && (second == 'd' || second == 'D')) return read_bits(16, Token::Kind::double_bits);
  std::size_t end = place_;
  bool decimal_point = false;
  while (is_digit(at(end)) || is_letter(at(end)) || at(end) == '.' ||
         ((at(end) == '-' || at(end) == '+') && decimal_point && std::strchr("eE", at(end - 1)))) {
    decimal_point = decimal_point || at(end) == '.';
    ++end;
  }
  std::string text(text_.substr(place_, end - place_));
  place_ = end;
  char* rest = nullptr;
  if (decimal_point) {
    const double value = std::strtod(text.c_str(), &rest);
    token_.kind = Token::Kind::double_bits;
    std::memcpy(&token_.bits, &value, sizeof value);
  } else {
    token_.kind = Token::Kind::integer;
    if (text.back() == 'U') text.pop_back();
    const bool binary = zero && (second == 'b' || second == 'B');
    token_.bits =
        binary ? std::strtoull(text.c_str() + 2, &rest, 2) : std::strtoull(text.c_str(), &rest, 0);
  }
  if (*rest != '\0') refuse(line_, "expected a number, got '" + text + "'");
}

void Lexer::read_string() {
  const std::size_t end = text_.find('"', place_ + 1);
  if (end == std::string_view::npos)
    refuse(line_, "expected a string to end, got the end of the text");
  token_.kind = Token::Kind::string;
  place_ = end + 1;
}

}  // namespace array_interface::cuda_simulator::ptx
