#include "results.hpp"

#include "units.hpp"

namespace array_interface {

/// So many values are stored at once, without a copy.
static constexpr std::size_t kMany = 512;

Results::Results(const ReductionCall& call, ValueMemory& memory)
    : reduction_(*call.reduction),
      finish_(call.finish),
      staging_(call.staged ? std::make_unique<OutputStaging>(call, finish_) : nullptr),
      worker_(finish_, kChunk),
      most_(ChunkOf(call)),
      pending_(memory.New(most_, reduction_.types)) {}

void Results::Store(const Values& values, std::size_t at, std::uint64_t first, std::size_t count) {
  if (staging_) staging_->Place(first, count);
  PlaceValues(reduction_, finish_, 0, values, at, first);
  worker_.Run(first, first + count);
}

void Results::Push(const Values& values, std::size_t count, std::uint64_t first) {
  const bool are_many = count >= kMany;
  if (are_many || count_ + count > most_ || first != first_pending_ + count_) StorePending();
  if (are_many) return Store(values, 0, first, count);
  if (count_ == 0) first_pending_ = first;
  CopyValues(reduction_.types, pending_, count_, values, 0, count);
  count_ += count;
}

void Results::Flush() {
  StorePending();
  if (staging_) staging_->Flush();
}

void Results::StorePending() {
  if (count_ > 0) Store(pending_, 0, first_pending_, count_);
  count_ = 0;
}

}  // namespace array_interface
