#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "program/scratch.hpp"
#include "reduction.hpp"

namespace array_interface {

/// The values of all accumulators, one row for each.
using Values = std::vector<std::byte*>;
/// Elements as they are combined, one row for each accumulator that they make.
using Sources = std::vector<const std::byte*>;

/// Rows of either that are only read.
class ConstValues {
 public:
  ConstValues(const Values& values) : rows_(values.data()) {}
  ConstValues(const Sources& sources) : rows_(sources.data()) {}

  const std::byte* operator[](std::size_t index) const { return rows_[index]; }

 private:
  const std::byte* const* rows_;
};

/// Memory for the values of one thread, until the end of a call.
class ValueMemory {
 public:
  /// For values in blocks of `chunk`. Throws std::bad_alloc.
  explicit ValueMemory(std::size_t chunk);

  /// Returns rows for `count` values each. Throws std::bad_alloc.
  Values New(std::size_t count, const std::vector<ValueType>& types);

 private:
  ScratchBlock block_;
  std::pmr::monotonic_buffer_resource memory_;
};

/// Copies values from one place of each row to another.
void CopyValues(const std::vector<ValueType>& types, const Values& to, std::size_t at,
                ConstValues from, std::size_t start, std::size_t count);

/// Has the first value in all of a row.
void Repeat(std::byte* values, std::size_t size, std::size_t count);

/// Tells a part of a reduction where the accumulators are of one of its sets, the first or the
/// second of a pair, and which element has the first of them.
void PlaceValues(const Reduction& reduction, ProgramCall& call, std::size_t set, ConstValues from,
                 std::size_t at, std::uint64_t first);

}  // namespace array_interface
