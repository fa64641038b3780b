#include "memory/reclaimer/pressure.hpp"

namespace array_interface {

void Pressure::Expect(const void* place, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  Sum& sum = by_place_[place];
  for (Sum* const each : {&sum, &all_}) {
    ++each->count;
    each->bytes += bytes;
  }
}

void Pressure::Drop(const void* place, std::size_t bytes) noexcept {
  {
    const std::lock_guard lock(mutex_);
    Subtract(place, bytes);
  }
  changed_.notify_all();
}

void Pressure::Return(const void* place, std::size_t bytes) noexcept {
  {
    const std::lock_guard lock(mutex_);
    Subtract(place, bytes);
    ++returned_;
  }
  changed_.notify_all();
}

void Pressure::Subtract(const void* place, std::size_t bytes) noexcept {
  const auto found = by_place_.find(place);
  for (Sum* const each : {&found->second, &all_}) {
    --each->count;
    each->bytes -= bytes;
  }
  if (found->second.count == 0) by_place_.erase(found);
}

std::shared_ptr<void> Pressure::Hold() {
  const auto end = [](void* pressure) {
    auto* const self = static_cast<Pressure*>(pressure);
    {
      const std::lock_guard lock(self->mutex_);
      --self->in_hand_;
    }
    self->changed_.notify_all();
  };
  {
    const std::lock_guard lock(mutex_);
    ++in_hand_;
  }
  return {this, end};
}

std::shared_ptr<void> Pressure::Hasten() {
  ++impatient_;
  return {this, [](void* pressure) { --static_cast<Pressure*>(pressure)->impatient_; }};
}

Pressure::Sum Pressure::SumOf(const void* place) const {
  Sum sum = all_;
  if (place != nullptr) {
    const auto found = by_place_.find(place);
    sum = found == by_place_.end() ? Sum{} : found->second;
  }
  if (in_hand_ > 0) {  // nobody knows yet of what place
    ++sum.count;
    ++sum.bytes;
  }
  return sum;
}

std::size_t Pressure::OnTheirWay(const void* place) const {
  const std::lock_guard lock(mutex_);
  return SumOf(place).bytes;
}

bool Pressure::IsIdle() const {
  const std::lock_guard lock(mutex_);
  return SumOf(nullptr).count == 0;
}

bool Pressure::Wait(const void* place, std::uint64_t seen, Clock::time_point until) {
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, until,
                             [&] { return returned_ != seen || SumOf(place).count == 0; });
}

}  // namespace array_interface
