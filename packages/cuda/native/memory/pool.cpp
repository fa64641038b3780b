#include "memory/pool.hpp"

#include <utility>

#include "driver/driver.hpp"

namespace array_interface::cuda {

std::shared_ptr<Pool> Pool::Create(int device, std::uint64_t kept, std::uint64_t maximum) {
  auto context = Context::Primary(device);
  const ContextScope scope(*context);
  PoolProperties properties{};
  properties.allocation_type = kAllocationPinned;
  properties.location = {kLocationDevice, device};
  properties.maximum_size = maximum;
  PoolHandle handle = nullptr;
  Cuda().cuMemPoolCreate(&handle, &properties);
  std::shared_ptr<Pool> pool(new Pool(std::move(context), handle, true));
  Cuda().cuMemPoolSetAttribute(handle, kPoolReleaseThreshold, &kept);
  return pool;
}

std::shared_ptr<Pool> Pool::Default(int device) {
  auto context = Context::Primary(device);
  PoolHandle handle = nullptr;
  Cuda().cuDeviceGetDefaultMemPool(&handle, device);
  return std::shared_ptr<Pool>(new Pool(std::move(context), handle, false));
}

void Pool::Destroy() noexcept {
  const std::lock_guard lock(mutex_);
  if (!owned_ || is_destroyed_) return;
  is_destroyed_ = true;
  try {
    const ContextScope scope(*context_);
    if (Cuda().cuMemPoolDestroy.IsBound()) Cuda().cuMemPoolDestroy.Try(handle_);
  } catch (const DriverError&) {
    // The context is gone, and the pool with it.
  }
}

bool Pool::ReachFrom(int device) {
  if (device == context_->device()) return true;
  const std::lock_guard lock(mutex_);
  const auto known = reached_.find(device);
  if (known != reached_.end()) return known->second;
  if (is_destroyed_) return false;
  const ContextScope scope(*context_);
  int can = 0;
  Cuda().cuDeviceCanAccessPeer(&can, device, context_->device());
  if (can != 0) {
    const PoolAccess access{{kLocationDevice, device}, kAccessReadWrite};
    can = Cuda().cuMemPoolSetAccess.Try(handle_, &access, 1) == kSuccess ? 1 : 0;
  }
  return reached_[device] = can != 0;
}

void Pool::Trim(std::uint64_t kept) const {
  const ContextScope scope(*context_);
  Cuda().cuMemPoolTrimTo(handle_, kept);
}

std::uint64_t Pool::Ask(PoolAttribute attribute) const {
  const ContextScope scope(*context_);
  std::uint64_t bytes = 0;
  Cuda().cuMemPoolGetAttribute(handle_, attribute, &bytes);
  return bytes;
}

}  // namespace array_interface::cuda
