#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "program.hpp"

namespace array_interface {

/// The bytes that an array may use, from its address on.
struct Extent {
  std::int64_t low;
  std::int64_t high;
};

/// An array at its address.
struct PlacedArray {
  std::byte* base;
  std::vector<std::int64_t> strides;  ///< in bytes, one for each axis
  std::uint64_t first = 0;            ///< of a dense one: the index of the element at `base`
};

/// A program with its arguments.
struct ProgramCall {
  const Program* program;
  const std::uint64_t* values;  ///< of its parameters
  std::vector<std::uint64_t> shape;
  std::vector<PlacedArray> arrays;
  std::uint64_t first;  ///< the elements to compute, in C order
  std::uint64_t end;
  bool are_apart;  ///< whether no array that is written shares bytes with one that is read
};

/// Checks the arguments of a program: what it will touch lies within the arrays. `extents` are
/// those of the parameters that are arrays, in order. The call refers to `values`.
std::variant<ProgramCall, ProgramFault> BindProgram(const Program& program,
                                                    const std::vector<std::uint64_t>& values,
                                                    const std::vector<Extent>& extents,
                                                    std::uint64_t count);

/// Computes the elements on at most `threads` threads, of which the caller's is one. Throws
/// std::bad_alloc; then some are computed.
void RunProgram(const ProgramCall& call, std::size_t threads);

}  // namespace array_interface
