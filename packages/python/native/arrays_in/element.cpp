#include "arrays_in/element.hpp"

#include <array>

namespace array_interface {

namespace {

constexpr std::int64_t kMostBytes = 65535;  // DLPack stores lanes in 16 bits

/// A kind of number: its letter in typestrs, DLPack's code, and the sizes that both support.
struct Kind {
  char letter;
  std::uint8_t code;
  std::array<std::int64_t, 4> sizes;
};
constexpr std::array<Kind, 5> kKinds{{
    {'b', kDLBool, {1, 0, 0, 0}},
    {'i', kDLInt, {1, 2, 4, 8}},
    {'u', kDLUInt, {1, 2, 4, 8}},
    {'f', kDLFloat, {2, 4, 8, 0}},
    {'c', kDLComplex, {8, 16, 0, 0}},
}};

bool Has(const Kind& kind, std::int64_t size) {
  for (const auto one : kind.sizes) {
    if (one == size && size > 0) return true;
  }
  return false;
}

DLDataType NumberType(std::uint8_t code, std::int64_t size) {
  return {code, static_cast<std::uint8_t>(size * 8), 1};
}

/// An element of opaque bytes, which a typestr describes.
Element Opaque(std::string_view typestr, std::int64_t size) {
  return {{kDLOpaqueHandle, 8, static_cast<std::uint16_t>(size)}, std::string(typestr), size};
}

/// Parses a size of up to seven digits. -1 if the text is anything else.
std::int64_t SizeIn(std::string_view digits) {
  if (digits.empty() || digits.size() > 7 || digits.front() == '0') return -1;
  std::int64_t size = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return -1;
    size = size * 10 + (digit - '0');
  }
  return size;
}

/// A code of `struct`: the letter in typestrs, and the size that the code has after a byte order.
struct Code {
  char letter;
  int size;
};

Code CodeOf(char code) {
  switch (code) {
    case '?':
      return {'b', 1};
    case 'b':
      return {'i', 1};
    case 'B':
      return {'u', 1};
    case 'h':
      return {'i', 2};
    case 'H':
      return {'u', 2};
    case 'i':
    case 'l':
      return {'i', 4};
    case 'I':
    case 'L':
      return {'u', 4};
    case 'q':
    case 'n':
      return {'i', 8};
    case 'Q':
    case 'N':
      return {'u', 8};
    case 'e':
      return {'f', 2};
    case 'f':
      return {'f', 4};
    case 'd':
      return {'f', 8};
    case 'g':
      return {'f', 16};
    case 'F':
      return {'c', 8};
    case 'D':
      return {'c', 16};
    default:
      return {0, 0};
  }
}

}  // namespace

std::optional<Element> ElementOf(std::string_view typestr) {
  if (typestr.size() < 3) return std::nullopt;
  const char order = typestr[0];
  const char letter = typestr[1];
  const std::size_t unit = typestr.find('[');
  const bool has_unit = unit != std::string_view::npos;
  if (has_unit && typestr.back() != ']') return std::nullopt;
  const std::int64_t size = SizeIn(typestr.substr(2, has_unit ? unit - 2 : unit));
  if ((order != '<' && order != '>' && order != '|') || size <= 0) return std::nullopt;
  for (const Kind& kind : kKinds) {
    if (kind.letter != letter || has_unit || !Has(kind, size)) continue;
    if (order != '>' || size == 1) return Element{NumberType(kind.code, size), "", size};
    return Opaque(typestr, size);
  }
  if ((letter == 'M' || letter == 'm') && size == 8) return Opaque(typestr, size);
  if (has_unit) return std::nullopt;
  const std::int64_t bytes = letter == 'U' ? size * 4 : size;
  if ((letter == 'U' || letter == 'S') && bytes <= kMostBytes) return Opaque(typestr, bytes);
  return std::nullopt;
}

std::string TypestrOf(DLDataType dtype) {
  if (dtype.lanes != 1 || dtype.bits % 8 != 0) return "";
  for (const Kind& kind : kKinds) {
    if (kind.code != dtype.code || !Has(kind, dtype.bits / 8)) continue;
    return std::string("<") + kind.letter + std::to_string(dtype.bits / 8);
  }
  return "";
}

std::string TypestrOfFormat(std::string_view format, std::size_t size) {
  std::string bytes = "|V" + std::to_string(size);
  if (format.empty()) return size == 1 ? "|u1" : bytes;
  if (format.find('O') != std::string_view::npos) return "";
  char order = '@';
  if (std::string_view("@=<>!").find(format.front()) != std::string_view::npos) {
    order = format.front();
    format.remove_prefix(1);
  }
  const char sign = order == '>' || order == '!' ? '>' : '<';
  const char last = format.empty() ? '\0' : format.back();
  // "5s" and "5w" are text of five characters.
  const bool counts =
      format.size() > 1 && format.find_first_not_of("0123456789") == format.size() - 1;
  if (last == 'c' && format.size() == 1) return "|S1";
  if (last == 's' && (counts || format.size() == 1)) return "|S" + std::to_string(size);
  // ctypes writes wchar_t as 'u'.
  const bool is_text = last == 'w' || last == 'u';
  if (is_text && (counts || format.size() == 1) && size % 4 == 0) {
    return std::string(1, sign) + "U" + std::to_string(size / 4);
  }
  const bool is_complex = format.size() == 2 && format.front() == 'Z';
  if (format.size() != 1 && !is_complex) return bytes;
  const Code code = CodeOf(last);
  // Without a byte order, the size of a `long` depends on the platform's C compiler; the item size
  // tells it.
  const bool is_native = order == '@' && (code.letter == 'i' || code.letter == 'u');
  const auto expected = static_cast<std::size_t>(is_complex ? code.size * 2 : code.size);
  if (code.letter == 0 || (!is_native && expected != size)) return bytes;
  if (is_complex && code.letter != 'f') return bytes;
  return std::string(1, sign) + (is_complex ? 'c' : code.letter) + std::to_string(size);
}

}  // namespace array_interface
