#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/run_program.hpp"

namespace array_interface {

/// Whether a test holds for all arrays of a call that are placed already.
template <typename Test>
bool AllRead(const ProgramCall& call, const Test& test) {
  return std::all_of(call.arrays.begin(), call.arrays.end(), [&](const PlacedArray& array) {
    return array.base == nullptr || test(array);
  });
}

/// Whether all arrays repeat their elements along an axis.
bool Repeats(const ProgramCall& call, std::size_t axis);

/// Where the element of an array is that has an index in C order along the first axes of a shape.
std::byte* AddressAt(const PlacedArray& array, const std::vector<std::uint64_t>& shape,
                     std::size_t axes, std::uint64_t index);

/// Drops an axis, along which the call stays at the first index.
void Erase(ProgramCall& call, std::size_t axis);

/// Makes one axis of those from `begin` to before `end` that are a row in all arrays.
void MergeRows(ProgramCall& call, std::size_t begin, std::size_t end);

/// Has the axes from `begin` on begin at their last elements if all arrays are reversed along them.
void TurnForwards(ProgramCall& call, std::size_t begin);

/// Has those of the axes from `begin` on come first along which elements of an array are farther
/// apart.
void SortAxes(ProgramCall& call, std::size_t begin, const PlacedArray& array);

/// Has the axes from `begin` on come first.
void Rotate(ProgramCall& call, std::size_t begin);

}  // namespace array_interface
