#pragma once

#include <cstddef>
#include <cstdint>

#include "combiner.hpp"
#include "elements.hpp"
#include "reduction.hpp"
#include "results.hpp"
#include "units.hpp"
#include "values.hpp"

namespace array_interface {

/// Scans outputs on one thread, in blocks of programs: leaf by leaf, each behind the total of all
/// leaves before.
class BlockScan {
 public:
  /// Throws std::bad_alloc.
  explicit BlockScan(const ReductionCall& call);

  /// Computes units from `first` to before `end`. Throws std::bad_alloc.
  void Run(std::uint64_t first, std::uint64_t end);

 private:
  void AddTotals(std::uint64_t leaf, std::uint64_t end, std::uint64_t output, std::size_t width);
  void ScanAcross(std::uint64_t output, std::size_t width, std::uint64_t leaf);
  void ScanAlong(std::uint64_t output, std::uint64_t leaf);
  void ScanChunk(const Sources& elements, std::size_t count);
  void Store(std::uint64_t leaf, std::size_t count, std::uint64_t first);
  std::size_t SizeAt(std::size_t index) const { return SizeOf(reduction_.types[index]); }

  const ReductionCall& call_;
  const Reduction& reduction_;
  const Tree& tree_;
  Units units_;
  std::size_t chunk_;  ///< elements that are mapped at once
  ValueMemory memory_{chunk_};
  Elements elements_;
  Combiner combiner_;
  Results results_;
  Values sum_;     ///< what was combined of a leaf until now
  Values before_;  ///< what is before a leaf
  Values done_;    ///< both together, which is stored
};

}  // namespace array_interface
