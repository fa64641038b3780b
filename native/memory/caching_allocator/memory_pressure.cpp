#include "memory/caching_allocator/memory_pressure.hpp"

namespace array_interface {

void MemoryPressure::Expect(const void* device, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  Sum& sum = by_device_[device];
  for (Sum* const each : {&sum, &all_}) {
    ++each->count;
    each->bytes += bytes;
  }
}

void MemoryPressure::Drop(const void* device, std::size_t bytes) noexcept {
  {
    const std::lock_guard lock(mutex_);
    Subtract(device, bytes);
  }
  changed_.notify_all();
}

void MemoryPressure::Return(const void* device, std::size_t bytes) noexcept {
  {
    const std::lock_guard lock(mutex_);
    Subtract(device, bytes);
    ++returned_;
  }
  changed_.notify_all();
}

void MemoryPressure::Subtract(const void* device, std::size_t bytes) noexcept {
  const auto found = by_device_.find(device);
  for (Sum* const each : {&found->second, &all_}) {
    --each->count;
    each->bytes -= bytes;
  }
  if (found->second.count == 0) by_device_.erase(found);
}

std::shared_ptr<void> MemoryPressure::Hold() {
  const auto end = [](void* pressure) {
    auto* const self = static_cast<MemoryPressure*>(pressure);
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

std::shared_ptr<void> MemoryPressure::AddWaiter() {
  ++waiters_;
  return {this, [](void* pressure) { --static_cast<MemoryPressure*>(pressure)->waiters_; }};
}

MemoryPressure::Sum MemoryPressure::SumOf(const void* device) const {
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

std::size_t MemoryPressure::PendingBytes(const void* device) const {
  const std::lock_guard lock(mutex_);
  return SumOf(device).bytes;
}

bool MemoryPressure::IsIdle() const {
  const std::lock_guard lock(mutex_);
  return SumOf(nullptr).count == 0;
}

bool MemoryPressure::Wait(const void* device, std::uint64_t seen, Clock::time_point until) {
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, until,
                             [&] { return returned_ != seen || SumOf(device).count == 0; });
}

}  // namespace array_interface
