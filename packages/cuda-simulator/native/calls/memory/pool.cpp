#include "memory/pool.hpp"

#include <atomic>

#include "base/driver_api.hpp"
#include "base/settings.hpp"
#include "driver/call.hpp"
#include "state/capture.hpp"

using namespace array_interface::cuda_simulator;
using Kind = Allocation::Kind;

namespace {

enum Attribute : int {
  reuse_first = 1,
  reuse_last = 3,
  release_threshold = 4,
  reserved_current = 5,
  reserved_high = 6,
  used_current = 7,
  used_high = 8,
};

/// Returns the kind of memory in a pool with this location and type. Throws Failure.
Kind kind_of(const CUmemLocation& location, int type) {
  if (type == CU_MEM_ALLOCATION_TYPE_MANAGED) return Kind::managed;
  require(type == CU_MEM_ALLOCATION_TYPE_PINNED);
  if (location.type == CU_MEM_LOCATION_TYPE_DEVICE) return Kind::device;
  require(location.type >= CU_MEM_LOCATION_TYPE_HOST &&
          location.type <= CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT);
  return Kind::pinned;
}

CUdevice device_of(const CUmemLocation& location) {
  return location.type == CU_MEM_LOCATION_TYPE_DEVICE ? context_of(location.id).device : 0;
}

/// Runs the stream's pending work as far as possible without waiting, so that memory it frees is
/// available again.
void do_pending(Stream& stream) {
  if (capture_info(stream).status != 0) return;
  std::atomic<int> looks{settings().lazy_queries};
  schedule().look(schedule().tail(stream), looks);
}

/// Returns the address at once. The memory exists for later work of the stream.
void allocate(CUdeviceptr* pointer, std::size_t size, const std::shared_ptr<Pool>& pool,
              Stream& stream) {
  require(pointer != nullptr && size != 0 && !pool->imported);
  const std::size_t most = pool->properties.maxSize;
  require(most == 0 || size <= most, CUDA_ERROR_OUT_OF_MEMORY);
  const auto make = [&] {
    return allocations().make_pooled(pool->kind, pool->device, pool->handle, size);
  };
  AllocationPtr made = make();
  if (made == nullptr) {
    do_pending(stream);
    made = make();
  }
  require(made != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  pool->take(size);
  const auto begin = [made] {
    made->usable = true;
    return CUDA_SUCCESS;
  };
  schedule().enqueue(stream, begin, {}, WorkKind::allocation);
  *pointer = made->start();
}

void free_later(CUdeviceptr pointer, Stream& stream) {
  const AllocationPtr found = allocations().starting_at(pointer);
  require(found != nullptr && found->source == Allocation::Source::pool);
  const bool in_graph = capture_info(stream).status != 0;  // the graph may be launched again
  require(in_graph || !found->given_up.exchange(true));
  const auto end = [found, in_graph] {
    found->usable = false;
    if (in_graph) return CUDA_SUCCESS;
    allocations().remove(found->start(), {found->kind});
    if (const auto pool = pools().find(found->pool)) pool->give(found->size);
    return CUDA_SUCCESS;
  };
  schedule().enqueue(stream, end, {}, WorkKind::release);
}

/// Reads an attribute, or sets it if `write`. Its number determines whether it is an int or 64
/// bits.
void access_attribute(Pool& pool, int attribute, void* value, bool write) {
  require(value != nullptr);
  std::lock_guard lock(pool.mutex);
  auto* const number = static_cast<std::uint64_t*>(value);
  auto* const small = static_cast<int*>(value);
  const auto high_mark = [&](std::size_t& mark, std::size_t current) {
    require(!write || *number == 0);
    if (write) mark = current;
    *number = write ? *number : mark;
  };
  const auto constant = [&](auto* target, auto is) {
    require(!write);
    *target = is;
  };
  if (attribute >= reuse_first && attribute <= reuse_last) {
    int& setting = pool.reuse[attribute - reuse_first];
    if (write) setting = *small != 0;
    if (!write) *small = setting;
    return;
  }
  switch (attribute) {
    case release_threshold:
      if (write) pool.release_threshold = *number;
      if (!write) *number = pool.release_threshold;
      return;
    case reserved_current:
      return constant(number, std::uint64_t{pool.reserved});
    case reserved_high:
      return high_mark(pool.reserved_high, pool.reserved);
    case used_current:
      return constant(number, std::uint64_t{pool.used});
    case used_high:
      return high_mark(pool.used_high, pool.used);
    case 9:
      return constant(small, pool.properties.allocType);
    case 10:
      return constant(small, pool.properties.handleTypes);
    case 11:
      return constant(small, pool.properties.location.id);
    case 12:
      return constant(small, pool.properties.location.type);
    case 13:
      return constant(number, std::uint64_t{pool.properties.maxSize});
    case 14:
      return constant(small, 0);  // no decompression engine
    default:
      throw Failure{CUDA_ERROR_INVALID_VALUE};
  }
}

}  // namespace

CUresult cuMemAllocAsync(CUdeviceptr* pointer, std::size_t size, CUstream stream) {
  return context_call(__func__, [&](Context& context) {
    const auto queue = find_stream(stream, context);
    allocate(pointer, size, current_pool(queue->context->device, Kind::device), *queue);
  });
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr* pointer, std::size_t size, CUmemoryPool pool,
                                 CUstream stream) {
  return context_call(__func__, [&](Context& context) {
    const auto queue = find_stream(stream, context);
    allocate(pointer, size, pools().get(pool), *queue);
  });
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
  return context_call(__func__, [&](Context& context) {
    const auto queue = find_stream(stream, context);
    if (pointer != 0) free_later(pointer, *queue);
  });
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return driver_value(__func__, pool, [&] {
    return default_pool(context_of(device).device, Kind::device)->handle;
  });
}

CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return driver_value(__func__, pool, [&] {
    return current_pool(context_of(device).device, Kind::device)->handle;
  });
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return driver_call(__func__, [&] {
    const auto found = pools().get(pool);
    require(found->device == context_of(device).device && found->kind == Kind::device);
    set_current_pool(found);
  });
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location, int type) {
  return driver_value(__func__, pool, [&] {
    require(location != nullptr);
    return default_pool(device_of(*location), kind_of(*location, type))->handle;
  });
}

CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, int type) {
  return driver_value(__func__, pool, [&] {
    require(location != nullptr);
    return current_pool(device_of(*location), kind_of(*location, type))->handle;
  });
}

CUresult cuMemSetMemPool(CUmemLocation* location, int type, CUmemoryPool pool) {
  return driver_call(__func__, [&] {
    require(location != nullptr);
    const auto found = pools().get(pool);
    require(found->kind == kind_of(*location, type) && found->device == device_of(*location));
    set_current_pool(found);
  });
}

CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  return driver_value(__func__, pool, [&] {
    require(properties != nullptr);
    const Kind kind = kind_of(properties->location, properties->allocType);
    const int handles = properties->handleTypes;
    require(handles == 0 || handles == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
            CUDA_ERROR_NOT_SUPPORTED);
    const auto made = make_pool(device_of(properties->location), kind);
    made->properties = *properties;
    return made->handle;
  });
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return driver_call(__func__, [&] {
    const auto found = pools().get(pool);
    require(!found->is_default);
    pools().remove(found->handle);  // the pool's memory stays until it is freed
  });
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, std::size_t kept) {
  return driver_call(__func__, [&] { pools().get(pool)->trim(kept); });
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, int attribute, void* value) {
  return driver_call(__func__,
                     [&] { access_attribute(*pools().get(pool), attribute, value, true); });
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, void* value) {
  return driver_call(__func__,
                     [&] { access_attribute(*pools().get(pool), attribute, value, false); });
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* rows, std::size_t count) {
  return driver_call(__func__, [&] {
    const auto found = pools().get(pool);
    require(rows != nullptr || count == 0);
    std::lock_guard lock(found->mutex);
    for (std::size_t index = 0; index < count; ++index) {
      const CUmemAccessDesc& row = rows[index];
      require(row.location.type == CU_MEM_LOCATION_TYPE_DEVICE);
      const CUdevice device = context_of(row.location.id).device;
      require(device != found->device || row.flags != 0);  // its own device always has access
      if (row.flags == 0) found->guests.erase(device);
      if (row.flags != 0) {
        require(device == found->device || settings().can_access(device, found->device),
                CUDA_ERROR_INVALID_DEVICE);
        found->guests.insert(device);
      }
    }
  });
}

CUresult cuMemPoolGetAccess(int* flags, CUmemoryPool pool, CUmemLocation* location) {
  return driver_value(__func__, flags, [&] {
    require(location != nullptr);
    require(location->type == CU_MEM_LOCATION_TYPE_DEVICE);
    const auto found = pools().get(pool);
    const CUdevice device = context_of(location->id).device;
    std::lock_guard lock(found->mutex);
    return device == found->device || found->guests.count(device) != 0 ? 3 : 0;
  });
}
