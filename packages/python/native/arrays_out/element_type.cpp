#include "arrays_out/element_type.hpp"

#include <cstddef>

namespace array_interface {

namespace {

/// The kind in a typestr for a number of `size` bytes; V if NumPy has none.
char KindOf(const DLDataType& dtype, std::size_t size) {
  const bool is_power = size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
  if (dtype.lanes != 1 || dtype.bits % 8 != 0 || !is_power) return 'V';
  switch (dtype.code) {
    case kDLInt:
      return size <= 8 ? 'i' : 'V';
    case kDLUInt:
      return size <= 8 ? 'u' : 'V';
    case kDLFloat:
      return size >= 2 ? 'f' : 'V';
    case kDLComplex:
      return size >= 8 ? 'c' : 'V';
    case kDLBool:
      return size == 1 ? 'b' : 'V';
    default:
      return 'V';
  }
}

/// The letter of a number in native order; empty for an invalid size. `standard`: the format names
/// a byte order, with which `l` would have four bytes.
std::string LetterOf(char kind, const std::string& size, bool standard) {
  const char eight = standard ? 'q' : 'l';
  const std::string letters = kind == 'i'   ? std::string("bhi") + eight
                              : kind == 'u' ? std::string("BHI") + (standard ? 'Q' : 'L')
                                            : "?efd";
  if (kind == 'f' && size == "16") return "g";
  if (kind == 'c') return size == "32" ? "Zg" : size == "16" ? "Zd" : size == "8" ? "Zf" : "";
  const std::size_t place = std::string("1248").find(size);
  return size.size() == 1 && place < 4 ? std::string(1, letters[place]) : "";
}

}  // namespace

std::string TypestrOf(const DLDataType& dtype) {
  const std::size_t size = (std::size_t{dtype.bits} * dtype.lanes + 7) / 8;
  const char kind = KindOf(dtype, size);
  const char order = kind == 'V' || size == 1 ? '|' : '<';
  return std::string{order, kind} + std::to_string(size);
}

std::string FormatOf(const std::string& typestr) {
  if (typestr.size() < 3) return "";
  const char kind = typestr[1];
  const std::string size = typestr.substr(2);
  switch (kind) {
    case 'S':
      return size + "s";
    case 'U':
      return (typestr[0] == '>' ? ">" : "") + size + "w";
    case 'b':
      return "?";
    case 'i':
    case 'u':
    case 'f':
    case 'c': {
      const bool is_swapped = typestr[0] == '>';
      const std::string letter = LetterOf(kind, size, is_swapped);
      return is_swapped && !letter.empty() ? ">" + letter : letter;
    }
    default:
      return "";
  }
}

}  // namespace array_interface
