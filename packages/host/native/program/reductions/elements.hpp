#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "mapped_elements.hpp"
#include "reduction.hpp"
#include "values.hpp"

namespace array_interface {

/// The elements of a call, where they are in their array, or mapped. They stay until others are
/// asked for.
class Elements {
 public:
  /// Mapped ones use the memory.
  Elements(const ReductionCall& call, ValueMemory& memory)
      : call_(call),
        reduction_(*call.reduction),
        memory_(memory),
        needed_(call.outputs * call.elements) {}

  /// Says that the elements of the loop before this one are needed next.
  void Expect(std::uint64_t behind) { needed_ = behind; }

  /// Maps elements of the loop in a row. Throws std::bad_alloc.
  const Sources& Map(std::uint64_t first, std::size_t count);

  /// Returns `count` elements: of an output, or of some that follow one another; or of all outputs
  /// in turn, from an index in them on. Throws std::bad_alloc.
  const Sources& Along(std::uint64_t output, std::uint64_t first, std::size_t count);

  /// Returns at most `count` elements of an output, and how many: those of a row, if they are read
  /// where they are, but at least `fewest`. Throws std::bad_alloc.
  const Sources& AlongUpTo(std::uint64_t output, std::uint64_t first, std::size_t fewest,
                           std::size_t& count);

  /// Returns one element of each of some outputs that are neighbours. In an array, the next ones
  /// are `RowStep` apart, those of `EvenlyFrom`. Throws std::bad_alloc.
  const Sources& Across(std::uint64_t output, std::size_t width, std::uint64_t element);

  /// The same of the next ones, too: at most `rows`, and how many.
  const Sources& AcrossUpTo(std::uint64_t output, std::size_t width, std::uint64_t element,
                            std::size_t& rows);

  /// Returns the row of an output in the array that begins with an element. The same row of the
  /// next output is `OutputStep` further.
  const Sources& InRow(std::uint64_t output, std::uint64_t element);

  /// Of rows whose elements follow one another: how many are evenly apart, and by how many
  /// elements.
  std::pair<std::uint64_t, std::int64_t> EvenRows() const;

  /// The elements of the array from a row of neighbours to the next one.
  std::int64_t RowStep() const;

  /// The rows from one on that are as far apart.
  std::uint64_t EvenlyFrom(std::uint64_t element) const;

  /// The same from an element of an output to that of the next one.
  std::int64_t OutputStep() const;

 private:
  const Sources& InArray(const std::byte* first);
  const std::byte* ElementAt(std::uint64_t index) const;
  std::int64_t StepAlong(std::size_t axis) const;

  const ReductionCall& call_;
  const Reduction& reduction_;
  ValueMemory& memory_;
  std::optional<MappedElements> mapped_;  ///< once some are asked for
  Sources in_array_{nullptr};             ///< the only one, if elements are read where they are
  std::uint64_t needed_;
};

}  // namespace array_interface
