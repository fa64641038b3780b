#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "kernels/layout/strided_copy.hpp"

/// A copy between two buffers of its own, with bytes around the extents that must not change.
struct Layout {
  array_interface::StridedCopy copy;
  std::vector<unsigned char> destination;
  std::vector<unsigned char> source;
  std::int64_t destination_origin = 0;  ///< index of the first byte of the element with indices 0
  std::int64_t source_origin = 0;
};

/// Ranks up to `rank`, lengths 0 to 4 (0 seldom), any order of axes. The destination never overlaps
/// itself; strides may be negative, the source's 0 too. Everything is a multiple of the unit if
/// `aligned`, and nothing need be otherwise.
Layout random_layout(std::mt19937& random, std::size_t rank, std::uint32_t unit, bool aligned);

/// Two to six axes of up to 150 units, in an order of their own on each side, with or without gaps,
/// forwards or backwards: transposes, channels, reversals. Sometimes the source repeats an axis.
Layout random_permutation(std::mt19937& random, std::uint32_t unit,
                          std::optional<array_interface::Conversion> conversion = {});

/// The same of up to 1500 units along an axis, and a million in all.
Layout random_large_permutation(std::mt19937& random, std::uint32_t unit,
                                std::optional<array_interface::Conversion> conversion = {});

/// The first between the numbers of a conversion.
Layout random_permutation(std::mt19937& random, const array_interface::Conversion& conversion);

/// `rank` axes of length 2, in an order of their own on each side, without gaps.
Layout random_twos(std::mt19937& random, std::size_t rank, std::uint32_t unit);

/// What the destination buffer must hold afterwards: one element after another, byte by byte.
std::vector<unsigned char> copied_naively(const Layout& layout);

/// All that it takes to write a copy down again.
std::string text_of(const array_interface::StridedCopy& copy);

/// Bytes that elements of `unit` bytes touch, relative to the element with indices 0; found by
/// visiting each.
struct Touched {
  std::int64_t low = 0;
  std::int64_t high = 0;
};
Touched touched_naively(const array_interface::StridedCopy& copy,
                        const std::vector<std::int64_t>& strides, std::int64_t unit);
