#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "program/run_program.hpp"
#include "program/scratch.hpp"

namespace array_interface {

constexpr std::size_t kMostUnit = 16;

/// Whether copies move elements of so many bytes.
inline bool IsUnit(std::uint32_t size) { return size <= kMostUnit && (size & (size - 1)) == 0; }

/// Rows of elements that are copied at once, along an axis.
struct StagedRows {
  std::size_t axis = 0;
  std::uint64_t elements = 1;  ///< of a row
  std::uint64_t most = 0;
};

/// Finds rows that are worth copies since the array that comes first in a call is turned along the
/// axes from `outer` on.
std::optional<StagedRows> FindTurnedRows(const ProgramCall& call, std::size_t outer);

/// The same since the last axis is short, so that elements would be taken a few at a time. Few
/// rows, if they may be all that are needed.
std::optional<StagedRows> FindShortRows(const ProgramCall& call, bool may_end);

/// Copies of the elements of arrays in C order, some rows at once, as a tiled copy makes them: it
/// reads lines of a cache whole where an array is turned, and short rows together.
class Staging {
 public:
  /// Has a call read copies of such rows, if there are any. Throws std::bad_alloc.
  Staging(ProgramCall& call, const std::optional<StagedRows>& rows);
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// Copies elements from `first` on, unless they are there, and returns how many of `count` are.
  /// Copies more for later ones, but none from `end` on. Throws std::bad_alloc.
  std::size_t Fill(std::uint64_t first, std::size_t count, std::uint64_t end);

 private:
  /// An array, and where its copies are.
  struct Staged {
    std::size_t index;
    PlacedArray source;
    std::unique_ptr<ScratchBlock> copies;
  };

  void Copy(Staged& one, std::uint64_t row, std::uint64_t rows);

  ProgramCall& call_;
  Program program_;  ///< the same, of arrays in C order
  std::vector<std::uint64_t> shape_;
  std::vector<Staged> staged_;
  StagedRows rows_;          ///< none if nothing is copied
  std::uint64_t begin_ = 0;  ///< the elements that are there
  std::uint64_t end_ = 0;
};

}  // namespace array_interface
