#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/host/vectors/past_caches.hpp"
#include "run_program.hpp"
#include "scratch.hpp"

namespace array_interface {

/// A run of elements within a row of one array, from its first one.
struct Row {
  std::byte* start;
  std::int64_t stride;
  std::size_t count;
};

/// Computes elements on one thread.
class Worker {
 public:
  /// Throws std::bad_alloc.
  Worker(const ProgramCall& call, std::uint64_t count);

  /// Computes elements from `first` to before `end`.
  void Run(std::uint64_t first, std::uint64_t end) {
    while (first < end) first += ComputeNext(first, end);
    if (is_past_caches_) finish_stream();
  }

  /// The same for a part of a reduction: calls `take(elements before, elements)` for each block.
  template <typename Take>
  void Run(std::uint64_t first, std::uint64_t end, Take&& take) {
    for (std::uint64_t at = first; at < end;) {
      const std::size_t count = ComputeNext(at, end);
      take(static_cast<std::size_t>(at - first), count);
      at += count;
    }
  }

  /// Computes again what is the same for all elements.
  void Refill() { is_stale_ = true; }

  /// The result of a part of a reduction that is the same for all elements.
  const std::byte* SameResult(std::size_t store) const {
    const std::size_t first = at_.size() - program_.store_count;
    return reinterpret_cast<const std::byte*>(
        &numbers_[program_.instructions[first + store].operands[0]]);
  }

  /// Where the results of a block are that a part of a reduction stores.
  const std::byte* Result(std::size_t store) const {
    const std::size_t first = at_.size() - program_.store_count;
    return static_cast<const std::byte*>(at_[program_.instructions[first + store].operands[0]]);
  }

 private:
  std::byte* SlotOf(const Instruction& one) const { return slots_->get() + one.slot * slot_bytes_; }
  bool IsFlat() const;
  std::size_t ComputeNext(std::uint64_t first, std::uint64_t end);
  void FillSame(std::size_t count);
  std::uint64_t SameOf(const Instruction& one) const;
  void Locate(std::uint64_t first, std::size_t count);
  void ComputeBlock();
  void PlaceStores();
  const void* Load(const Instruction& one) const;
  void Store(const Instruction& one) const;
  void FillIndices(const Instruction& one) const;

  /// Whether the elements of a block are a row in an array.
  bool IsRow(const Instruction& one) const {
    return is_in_row_ || program_.arrays[one.source].layout == Layout::kDense;
  }
  /// The first element of a block in an array, with the others if they are a row.
  Row RowOf(const Instruction& one) const;
  std::int64_t StepOfRows(const Instruction& one) const;
  /// Calls `work(row, elements before it)` for each row of a block in an array.
  template <typename Work>
  void ForEachRow(const Instruction& one, Work&& work) const;

  const ProgramCall& call_;
  const Program& program_;
  std::vector<std::uint64_t> shape_;
  bool is_past_caches_;  ///< whether rows are written so, since no cache could hold them
  std::size_t block_;
  std::size_t slot_bytes_;
  std::unique_ptr<ScratchBlock> slots_;
  std::vector<const void*> at_;         ///< for each instruction, where its results are
  std::vector<std::uint64_t> numbers_;  ///< for each that is the same for all elements, its bits
  std::vector<bool> is_placed_;  ///< for each store, whether its results are in the array already
  std::vector<std::uint64_t> index_;  ///< of a block's first element, along each axis of `shape_`
  std::uint64_t first_ = 0;           ///< its index in C order
  std::size_t count_ = 0;             ///< elements of the block
  std::size_t filled_ = 0;            ///< elements of blocks that are the same for all
  bool is_stale_ = false;             ///< whether what is the same may have changed
  bool is_in_row_ = true;
};

}  // namespace array_interface
