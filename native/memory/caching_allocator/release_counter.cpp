#include "memory/caching_allocator/release_counter.hpp"

namespace array_interface {

void ReleaseCounter::Expect(const void* device, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  Sum& sum = by_device_[device];
  for (Sum* const each : {&sum, &all_}) {
    ++each->count;
    each->bytes += bytes;
  }
}

void ReleaseCounter::Drop(const void* device, std::size_t bytes) noexcept {
  {
    const std::lock_guard lock(mutex_);
    Subtract(device, bytes);
  }
  changed_.notify_all();
}

void ReleaseCounter::Return(const void* device, std::size_t bytes) noexcept {
  {
    const std::lock_guard lock(mutex_);
    Subtract(device, bytes);
    ++returned_;
  }
  changed_.notify_all();
}

void ReleaseCounter::Subtract(const void* device, std::size_t bytes) noexcept {
  const auto found = by_device_.find(device);
  for (Sum* const each : {&found->second, &all_}) {
    --each->count;
    each->bytes -= bytes;
  }
  if (found->second.count == 0) by_device_.erase(found);
}

std::shared_ptr<void> ReleaseCounter::Hold() {
  const auto end = [](void* counter) {
    auto* const self = static_cast<ReleaseCounter*>(counter);
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

std::shared_ptr<void> ReleaseCounter::AddWaiter() {
  ++waiters_;
  return {this, [](void* counter) { --static_cast<ReleaseCounter*>(counter)->waiters_; }};
}

ReleaseCounter::Sum ReleaseCounter::SumOf(const void* device) const {
  Sum sum = all_;
  if (device != nullptr) {
    const auto found = by_device_.find(device);
    sum = found == by_device_.end() ? Sum{} : found->second;
  }
  if (in_hand_ > 0) {  // its device is not known yet
    ++sum.count;
    ++sum.bytes;
  }
  return sum;
}

std::size_t ReleaseCounter::PendingBytes(const void* device) const {
  const std::lock_guard lock(mutex_);
  return SumOf(device).bytes;
}

bool ReleaseCounter::IsIdle() const {
  const std::lock_guard lock(mutex_);
  return SumOf(nullptr).count == 0;
}

bool ReleaseCounter::Wait(const void* device, std::uint64_t seen, Clock::time_point until) {
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, until,
                             [&] { return returned_ != seen || SumOf(device).count == 0; });
}

}  // namespace array_interface
