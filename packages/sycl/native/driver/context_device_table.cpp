#include "context_device_table.hpp"

#include <algorithm>

namespace array_interface::sycl {

std::shared_ptr<ContextDevice> ContextDeviceTable::Find(void* context, void* device) const {
  for (const auto& context_device : All()) {
    if (context_device->Is(context, device)) return context_device;
  }
  return nullptr;
}

std::shared_ptr<ContextDevice> ContextDeviceTable::Add(
    std::shared_ptr<ContextDevice> context_device) {
  std::vector<std::shared_ptr<ContextDevice>>
      known;  // outlives the lock, since an object may end here
  const std::lock_guard lock(mutex_);
  context_device->context_id_ = context_device->id;
  for (const auto& other : context_devices_) {
    auto live = other.lock();
    if (live == nullptr) continue;
    known.push_back(live);
    if (!live->HasContext(context_device->context.get())) continue;
    if (live->Is(context_device->context.get(), context_device->reference.get())) return live;
    context_device->context_id_ = live->context_id_;
  }
  const auto ended = [](const auto& other) { return other.expired(); };
  context_devices_.erase(std::remove_if(context_devices_.begin(), context_devices_.end(), ended),
                         context_devices_.end());
  context_devices_.push_back(context_device);
  return context_device;
}

std::vector<std::shared_ptr<ContextDevice>> ContextDeviceTable::All() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<ContextDevice>> all;
  for (const auto& context_device : context_devices_) {
    if (auto live = context_device.lock()) all.push_back(std::move(live));
  }
  return all;
}

}  // namespace array_interface::sycl
