#include "arrays/element.hpp"

#include <algorithm>
#include <array>
#include <iterator>

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
    {'f', kDLFloat, {2, 4, 8, 16}},
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
/// The first code of a letter and size is the one that is written.
struct Code {
  char code;
  char letter;
  std::int64_t size;
};
constexpr Code kCodes[] = {
    {'?', 'b', 1}, {'b', 'i', 1},  {'B', 'u', 1}, {'h', 'i', 2},  {'H', 'u', 2},
    {'i', 'i', 4}, {'I', 'u', 4},  {'l', 'i', 4}, {'L', 'u', 4},  {'q', 'i', 8},
    {'Q', 'u', 8}, {'n', 'i', 8},  {'N', 'u', 8}, {'e', 'f', 2},  {'f', 'f', 4},
    {'d', 'f', 8}, {'g', 'f', 16}, {'F', 'c', 8}, {'D', 'c', 16},
};

/// The code of a number. Null if there is none.
const Code* CodeOf(char letter, std::int64_t size) {
  const auto fits = [&](const Code& one) { return one.letter == letter && one.size == size; };
  const auto* const found = std::find_if(std::begin(kCodes), std::end(kCodes), fits);
  return found == std::end(kCodes) ? nullptr : found;
}

/// The format of a number. `is_swapped`: it names a byte order, with which `l` has four bytes.
std::string NumberFormat(char letter, std::int64_t size, bool is_swapped) {
  const bool is_complex = letter == 'c' && size % 8 == 0;
  const Code* const found = is_complex ? CodeOf('f', size / 2) : CodeOf(letter, size);
  if (found == nullptr) return "";
  const std::string code(1, found->code);
  if (is_swapped) return (is_complex ? ">Z" : ">") + code;
  if (is_complex) return "Z" + code;
  return code == "q" ? "l" : code == "Q" ? "L" : code;  // as NumPy writes it
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
  if (letter == 'f' && size == 16) return std::nullopt;  // core has no such number
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

std::string TypestrOf(const DLDataType& dtype) {
  const std::int64_t size = ItemsizeOf(dtype);
  const std::string digits = std::to_string(size);
  const bool is_plain = dtype.lanes == 1 && dtype.bits % 8 == 0;
  for (const Kind& kind : kKinds) {
    if (!is_plain || kind.code != dtype.code || !Has(kind, size)) continue;
    return std::string{size == 1 ? '|' : '<', kind.letter} + digits;
  }
  return "|V" + digits;
}

std::string FormatOf(const std::string& typestr) {
  if (typestr.size() < 3) return "";
  const std::string size = typestr.substr(2);
  const bool is_swapped = typestr[0] == '>';
  switch (typestr[1]) {
    case 'S':
      return size + "s";
    case 'U':
      return (is_swapped ? ">" : "") + size + "w";
    case 'b':
      return "?";
    default:
      return NumberFormat(typestr[1], SizeIn(size), is_swapped);
  }
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
  const auto has_code = [&](const Code& one) { return one.code == last; };
  const auto* const code = std::find_if(std::begin(kCodes), std::end(kCodes), has_code);
  if (code == std::end(kCodes)) return bytes;
  // Without a byte order, the size of a `long` depends on the platform's C compiler; the item size
  // tells it.
  const bool is_native = order == '@' && (code->letter == 'i' || code->letter == 'u');
  const auto expected = static_cast<std::size_t>(is_complex ? code->size * 2 : code->size);
  if (!is_native && expected != size) return bytes;
  if (is_complex && code->letter != 'f') return bytes;
  return std::string(1, sign) + (is_complex ? 'c' : code->letter) + std::to_string(size);
}

}  // namespace array_interface
