#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "program/scratch.hpp"
#include "reduction.hpp"

namespace array_interface {

/// Has a call compute an output once if its elements are those of others, and store many at once:
/// if rows of elements become longer so, or results of neighbours are far apart. Its outer axes are
/// in the order in which elements lie in memory.
void StageOutputs(ReductionCall& call);

/// Results in the order in which outputs are computed, until a tiled copy takes many at once to
/// where they belong: one by one, each would take a line of cache of its own.
class OutputStaging {
 public:
  /// For a call whose outputs are staged. Has its program `finish` write in a row. Throws
  /// std::bad_alloc.
  OutputStaging(const ReductionCall& call, ProgramCall& finish);
  OutputStaging(const OutputStaging&) = delete;
  OutputStaging& operator=(const OutputStaging&) = delete;

  /// Has the program write some outputs next, at most `ChunkOf` the call. Throws std::bad_alloc.
  void Place(std::uint64_t first, std::size_t count);
  /// Copies what was written. Throws std::bad_alloc.
  void Flush();

 private:
  /// Results of an array, one for each output.
  struct Staged {
    std::size_t index;
    std::uint32_t size;
    std::unique_ptr<ScratchBlock> results;
  };

  void CopyBox(std::uint64_t first, std::size_t axis, std::uint64_t length) const;

  const StagedOutputs& outputs_;
  ProgramCall& finish_;
  Program program_;  ///< the same, of arrays in C order
  std::uint64_t most_;
  std::vector<Staged> staged_;
  std::uint64_t start_ = 0;  ///< the output of the first result that there is room for
  std::uint64_t begin_ = 0;  ///< the outputs that are there
  std::uint64_t end_ = 0;
};

}  // namespace array_interface
