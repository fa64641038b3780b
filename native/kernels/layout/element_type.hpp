#pragma once

#include <cstddef>
#include <cstdint>

namespace array_interface {

/// The number types that copies convert between, in the order of the kernels' codes.
enum class ElementType : std::uint32_t {
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kFloat16,
  kBfloat16,
  kFloat32,
  kFloat64,
  kComplex64,
  kComplex128,
};

inline constexpr std::size_t element_type_count = 15;

inline constexpr std::uint32_t element_sizes[element_type_count] = {1, 1, 2, 4, 8, 1, 2, 4,
                                                                    8, 2, 2, 4, 8, 8, 16};

/// Bytes of one element.
constexpr std::uint32_t size_of(ElementType type) noexcept {
  return element_sizes[static_cast<std::size_t>(type)];
}

/// Bytes that are loaded, stored and swapped at once. For a complex number, those of one part.
constexpr std::uint32_t word_size(ElementType type) noexcept {
  const bool is_complex = type == ElementType::kComplex64 || type == ElementType::kComplex128;
  return size_of(type) / (is_complex ? 2 : 1);
}

/// Whether a device needs 64-bit floats to process such numbers.
constexpr bool is_wide(ElementType type) noexcept {
  return type == ElementType::kFloat64 || type == ElementType::kComplex128;
}

/// How a copy changes the bytes it moves. Bytes are swapped if an element is not in native order;
/// in a complex number, those of each part.
struct Conversion {
  ElementType from;
  ElementType to;
  bool swaps_source = false;
  bool swaps_destination = false;
  bool rounds = false;  ///< floats become the nearest integer, ties to even, rather than cut off
};

}  // namespace array_interface
