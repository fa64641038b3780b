#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "output_staging.hpp"
#include "program/worker.hpp"
#include "reduction.hpp"
#include "values.hpp"

namespace array_interface {

/// Stores what the accumulators of outputs become.
class Results {
 public:
  /// Throws std::bad_alloc.
  Results(const ReductionCall& call, ValueMemory& memory);

  /// Stores values from one on, as those of outputs from `first` on.
  void Store(const Values& values, std::size_t at, std::uint64_t first, std::size_t count);

  /// Keeps values until there are many, or others than the next ones come.
  void Push(const Values& values, std::size_t count, std::uint64_t first);
  /// Stores what was kept.
  void Flush();

 private:
  void StorePending();

  const Reduction& reduction_;
  ProgramCall finish_;  ///< which is told where the accumulators are
  std::unique_ptr<OutputStaging> staging_;
  Worker worker_;
  std::size_t most_;
  Values pending_;
  std::uint64_t first_pending_ = 0;
  std::size_t count_ = 0;
};

}  // namespace array_interface
