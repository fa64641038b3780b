#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "program/run_program.hpp"
#include "program/scratch.hpp"

namespace array_interface {

/// Rows of elements that are copied at once, along an axis.
struct StagedRows {
  std::size_t axis = 0;
  std::uint64_t elements = 1;  ///< of a row
  std::uint64_t most = 0;
};

/// Finds the rows of a call that are worth copies: if the array that comes first in it is turned
/// along the axes from `outer` on.
std::optional<StagedRows> FindStagedRows(const ProgramCall& call, std::size_t outer);

/// Copies of the elements of arrays in C order, some rows at once. Elements that are combined in C
/// order lie elsewhere in memory if an array is turned: one by one, each would take a line of cache
/// of its own, and a tiled copy reads lines whole.
class Staging {
 public:
  /// Has a call read copies if there are such rows. Throws std::bad_alloc.
  Staging(ProgramCall& call, std::size_t outer);
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
