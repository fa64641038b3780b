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
  if (!owned_) return;
  owned_ = false;
  try {
    const ContextScope scope(*context_);
    if (Cuda().cuMemPoolDestroy.IsBound()) Cuda().cuMemPoolDestroy.Try(handle_);
  } catch (const DriverError&) {
    // The context is gone, and the pool with it.
  }
}

bool Pool::ReachFrom(int device) const {
  if (device == context_->device()) return true;
  const ContextScope scope(*context_);
  int can = 0;
  Cuda().cuDeviceCanAccessPeer(&can, device, context_->device());
  if (can == 0) return false;
  const PoolAccess access{{kLocationDevice, device}, kAccessReadWrite};
  Cuda().cuMemPoolSetAccess(handle_, &access, 1);
  return true;
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
