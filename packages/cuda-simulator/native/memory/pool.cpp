#include "pool.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace array_interface::cuda_simulator {
namespace {

using Key = std::pair<CUdevice, Allocation::Kind>;

struct PoolsOfDevices {
  std::mutex mutex;
  std::map<Key, std::shared_ptr<Pool>> defaults;
  std::map<Key, std::shared_ptr<Pool>> current;
};

PoolsOfDevices& of_devices() { return immortal<PoolsOfDevices>(); }

}  // namespace

void Pool::take(std::size_t size) {
  std::lock_guard lock(mutex);
  used += size;
  reserved = std::max(reserved, used);
  used_high = std::max(used_high, used);
  reserved_high = std::max(reserved_high, reserved);
}

void Pool::give(std::size_t size) {
  std::lock_guard lock(mutex);
  used -= std::min(used, size);
  reserved = std::max(used, std::min(reserved, std::size_t{release_threshold}));
}

void Pool::trim(std::size_t kept) {
  std::lock_guard lock(mutex);
  reserved = std::max(used, std::min(reserved, kept));
}

std::shared_ptr<Pool> make_pool(CUdevice device, Allocation::Kind kind, bool is_default) {
  auto pool = std::make_shared<Pool>();
  pool->device = device;
  pool->kind = kind;
  pool->is_default = is_default;
  pool->handle = pools().reserve();
  pools().put(pool->handle, pool);
  return pool;
}

std::shared_ptr<Pool> default_pool(CUdevice device, Allocation::Kind kind) {
  std::lock_guard lock(of_devices().mutex);
  std::shared_ptr<Pool>& pool = of_devices().defaults[{device, kind}];
  if (pool == nullptr) {
    pool = make_pool(device, kind, true);
    pool->properties.allocType = kind == Allocation::Kind::managed ? 2 : 1;
    pool->properties.location = {
        kind == Allocation::Kind::device ? CU_MEM_LOCATION_TYPE_DEVICE : CU_MEM_LOCATION_TYPE_HOST,
        device};
  }
  return pool;
}

std::shared_ptr<Pool> current_pool(CUdevice device, Allocation::Kind kind) {
  {
    std::lock_guard lock(of_devices().mutex);
    const auto found = of_devices().current.find({device, kind});
    if (found != of_devices().current.end() && pools().find(found->second->handle) != nullptr) {
      return found->second;
    }
  }
  return default_pool(device, kind);
}

void set_current_pool(const std::shared_ptr<Pool>& pool) {
  std::lock_guard lock(of_devices().mutex);
  of_devices().current[{pool->device, pool->kind}] = pool;
}

}  // namespace array_interface::cuda_simulator
