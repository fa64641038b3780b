#pragma once

#include <cstddef>
#include <cstdint>

#include "program/worker.hpp"
#include "reduction.hpp"
#include "staging.hpp"
#include "values.hpp"

namespace array_interface {

/// The elements of a call as its program makes them. They stay until others are asked for.
class MappedElements {
 public:
  /// Throws std::bad_alloc.
  MappedElements(const ReductionCall& call, ValueMemory& memory);

  /// Maps elements of the loop in a row. More are needed next, before `end`. Throws std::bad_alloc.
  const Sources& Map(std::uint64_t first, std::size_t count, std::uint64_t end);

 private:
  void Keep(std::size_t before, std::size_t done, std::size_t count);

  const Reduction& reduction_;
  ProgramCall element_;  ///< whose arrays are told where their copies are
  Staging staging_;
  Worker worker_;
  Sources mapped_;  ///< in `buffer_`, or where the program has made them
  Values buffer_;
};

}  // namespace array_interface
