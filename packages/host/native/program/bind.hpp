#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "run_program.hpp"

namespace array_interface {

/// An index or a length, which has 32 or 64 bits.
std::uint64_t ReadIndex(const std::vector<ProgramParameter>& parameters,
                        const std::vector<std::uint64_t>& values, std::uint32_t place);

/// Adds what an array reaches along an axis. False if that is no number of bytes.
bool Reach(Extent& reach, std::uint64_t length, std::int64_t stride);

/// Sets strides in bytes by those in elements: 0 along axes of one element, whose strides may be
/// any numbers. False if the others are no numbers of bytes.
bool SetStrides(std::vector<std::int64_t>& strides, const std::vector<std::uint64_t>& shape,
                const std::uint64_t* values, std::uint32_t item_size);

/// The largest number that a program reads or writes at once in an array.
std::size_t UnitOf(const Program& program, std::size_t array);

}  // namespace array_interface
