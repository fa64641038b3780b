#pragma once

#include <cstddef>
#include <cstdint>

#include "reduction.hpp"

namespace array_interface {

/// Elements that are read where they are, and results that are stored, at once.
constexpr std::size_t kChunk = 4096;
/// Outputs that are computed at once: all levels of their trees fit a second cache.
constexpr std::size_t kWidth = 512;
constexpr std::size_t kMostLanes = 32;
/// Bytes of a line of a cache: elements that are as far apart share none.
constexpr std::size_t kLine = 64;
/// A row of lanes that keeps the vectors of a core busy.
constexpr std::size_t kRowBytes = 256;

/// Whether elements are read where they are: evenly placed, or in long rows of neighbours.
bool AreInPlace(const ReductionCall& call);

/// Elements that are mapped at once, or read where they are.
std::size_t ChunkOf(const ReductionCall& call);

/// Lanes of elements in a row that may be combined in any order: a power of two.
std::size_t LanesOf(const Reduction& reduction, std::size_t width, std::uint64_t elements);

/// Whether trees are so small that many of them are computed at once.
bool AreFewOf(const ReductionCall& call);

/// Outputs that are computed at once, or a piece of each.
struct Unit {
  std::uint64_t output;  ///< the first
  std::size_t width;     ///< their number
  std::uint64_t piece;
};

/// The parts of a call that threads share. There is an output at least.
class Units {
 public:
  explicit Units(const ReductionCall& call);

  std::uint64_t count() const;
  Unit operator[](std::uint64_t index) const;

  /// The values that are kept of an output.
  std::uint64_t lanes() const;
  /// The same of all outputs of a unit.
  std::size_t row() const { return static_cast<std::size_t>(width_ * lanes()); }

 private:
  const ReductionCall& call_;
  std::uint64_t line_;    ///< the outputs that follow one another
  std::uint64_t strips_;  ///< the units across a line
  std::uint64_t width_;
};

}  // namespace array_interface
