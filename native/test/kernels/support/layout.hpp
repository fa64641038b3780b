#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "kernels/layout/strided_copy.hpp"

/// A copy between two buffers that it owns. The bytes around the extents must not change.
struct Layout {
  array_interface::StridedCopy copy;
  std::vector<unsigned char> destination;
  std::vector<unsigned char> source;
  std::int64_t destination_origin = 0;  ///< offset of the first byte of the element at index 0
  std::int64_t source_origin = 0;
};

/// Ranks up to `rank`, lengths 0 to 4 (0 seldom), any order of axes. The destination never overlaps
/// itself. Strides may be negative, and the source's may be 0. If `aligned`, everything is a
/// multiple of the unit; otherwise nothing need be.
Layout random_layout(std::mt19937& random, std::size_t rank, std::uint32_t unit, bool aligned);

/// Two to six axes of up to 150 units, in a separate order on each side, with or without gaps,
/// forwards or backwards: transposes, channels, reversals. Sometimes the source repeats an axis.
Layout random_permutation(std::mt19937& random, std::uint32_t unit,
                          std::optional<array_interface::Conversion> conversion = {});

/// The same, with up to 1500 units along an axis, and a million in all.
Layout random_large_permutation(std::mt19937& random, std::uint32_t unit,
                                std::optional<array_interface::Conversion> conversion = {});

/// The first of these, with a conversion.
Layout random_permutation(std::mt19937& random, const array_interface::Conversion& conversion);

/// `rank` axes of length 2, in a separate order on each side, without gaps.
Layout random_twos(std::mt19937& random, std::size_t rank, std::uint32_t unit);

/// Returns the expected contents of the destination buffer, copied element by element, byte by
/// byte.
std::vector<unsigned char> copied_naively(const Layout& layout);

/// Describes everything needed to reproduce a copy.
std::string text_of(const array_interface::StridedCopy& copy);

/// The range of bytes that elements of `unit` bytes occupy, relative to the element at index 0. It
/// is found by visiting each element.
struct Touched {
  std::int64_t low = 0;
  std::int64_t high = 0;
};
Touched touched_naively(const array_interface::StridedCopy& copy,
                        const std::vector<std::int64_t>& strides, std::int64_t unit);
