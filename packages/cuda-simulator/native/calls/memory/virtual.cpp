#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "memory/allocation_table.hpp"
#include "memory/physical_memory.hpp"

using namespace array_interface::cuda_simulator;

namespace {

constexpr std::size_t granularity = std::size_t{2} << 20;

/// Addresses that the program reserved, and its mappings in them, by start address.
struct VirtualMemory {
  struct Mapping {
    AllocationPtr allocation;
    std::shared_ptr<PhysicalMemory> memory;
  };
  std::mutex mutex;
  std::map<std::uintptr_t, Region> reserved;
  std::map<std::uintptr_t, Mapping> mapped;

  /// Returns the reservation that contains a range, or null.
  Region* around(std::uintptr_t start, std::size_t size) {
    const auto after = reserved.upper_bound(start);
    if (after == reserved.begin()) return nullptr;
    Region& region = std::prev(after)->second;
    const std::uintptr_t offset = start - region.address;
    const bool inside = offset < region.reserved && size <= region.reserved - offset;
    return inside ? &region : nullptr;
  }

  /// Returns the mappings that cover a range exactly. Throws Failure if there are gaps.
  std::vector<std::uintptr_t> exactly(std::uintptr_t start, std::size_t size) {
    std::vector<std::uintptr_t> found;
    std::uintptr_t next = start;
    while (next != start + size) {
      const auto entry = mapped.find(next);
      require(entry != mapped.end() && next < start + size);
      found.push_back(next);
      next += entry->second.allocation->size;
    }
    return found;
  }
};

VirtualMemory& virtual_memory() { return immortal<VirtualMemory>(); }

void check(const CUmemAllocationProp* properties) {
  require(properties != nullptr && properties->type == CU_MEM_ALLOCATION_TYPE_PINNED);
  require(properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE, CUDA_ERROR_NOT_SUPPORTED);
  context_of(properties->location.id);
  const int handles = properties->requestedHandleTypes;
  require(handles == 0 || handles == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
          CUDA_ERROR_NOT_SUPPORTED);
}

bool is_whole(std::size_t size) { return size != 0 && size % granularity == 0; }

}  // namespace

CUresult cuMemGetAllocationGranularity(std::size_t* size, const CUmemAllocationProp* properties,
                                       int option) {
  return driver_value(__func__, size, [&] {
    require(option == 0 || option == 1);
    check(properties);
    return granularity;
  });
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, std::size_t size,
                     const CUmemAllocationProp* properties, unsigned long long flags) {
  return driver_value(__func__, handle, [&] {
    require(flags == 0 && is_whole(size));
    check(properties);
    auto memory = make_physical(*properties, size);
    require(memory != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
    return physical_memories().add(std::move(memory));
  });
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return driver_call(__func__, [&] { physical_memories().take(handle); });
}

CUresult cuMemAddressReserve(CUdeviceptr* pointer, std::size_t size, std::size_t alignment,
                             CUdeviceptr, unsigned long long flags) {
  return driver_value(__func__, pointer, [&] {
    require(flags == 0 && is_whole(size));
    require((alignment & (alignment - 1)) == 0);
    Region region;
    const bool there =
        device_addresses().take_addresses(size, std::max(alignment, granularity), region);
    require(there, CUDA_ERROR_OUT_OF_MEMORY);
    VirtualMemory& all = virtual_memory();
    std::lock_guard lock(all.mutex);
    all.reserved[region.address] = region;
    return region.address;
  });
}

CUresult cuMemAddressFree(CUdeviceptr pointer, std::size_t size) {
  return driver_call(__func__, [&] {
    VirtualMemory& all = virtual_memory();
    std::lock_guard lock(all.mutex);
    const auto found = all.reserved.find(pointer);
    require(found != all.reserved.end() && found->second.reserved == size);
    const auto mapped = all.mapped.lower_bound(pointer);
    require(mapped == all.mapped.end() || mapped->first - pointer >= size);
    all.reserved.erase(found);
  });
}

CUresult cuMemMap(CUdeviceptr pointer, std::size_t size, std::size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
  return driver_call(__func__, [&] {
    require(flags == 0 && offset == 0 && is_whole(size));
    const auto memory = physical_memories().get(handle);
    require(size <= memory->size);
    VirtualMemory& all = virtual_memory();
    std::lock_guard lock(all.mutex);
    const Region* region = all.around(pointer, size);
    require(region != nullptr);
    require(allocations().find(pointer, size).kind == Place::Kind::invalid);
    auto made = std::make_shared<Allocation>(Allocation::Kind::device, Allocation::Source::mapped,
                                             size, memory->properties.location.id);
    made->usable = false;  // until cuMemSetAccess is called
    made->region.address = pointer;
    made->region.backing = region->backing + (pointer - region->address);
    const void* there = mmap(made->region.backing, size, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_FIXED, memory->file, 0);
    require(there != MAP_FAILED, CUDA_ERROR_OUT_OF_MEMORY);
    allocations().put(made);
    all.mapped[pointer] = {made, memory};
  });
}

CUresult cuMemUnmap(CUdeviceptr pointer, std::size_t size) {
  return driver_call(__func__, [&] {
    VirtualMemory& all = virtual_memory();
    std::vector<VirtualMemory::Mapping> gone;
    {
      std::lock_guard lock(all.mutex);
      for (const std::uintptr_t start : all.exactly(pointer, size)) {
        gone.push_back(all.mapped[start]);
      }
    }
    for (const auto& mapping : gone) wait_for_devices(*mapping.allocation);
    std::lock_guard lock(all.mutex);
    for (const auto& mapping : gone) {
      const AllocationPtr& allocation = mapping.allocation;
      allocations().remove(allocation->start(), {allocation->kind});
      Region region = allocation->region;
      region.reserved = allocation->size;
      device_addresses().give_back(region);
      all.mapped.erase(allocation->start());
    }
  });
}

CUresult cuMemSetAccess(CUdeviceptr pointer, std::size_t size, const CUmemAccessDesc* rows,
                        std::size_t count) {
  return driver_call(__func__, [&] {
    require(rows != nullptr && count != 0);
    VirtualMemory& all = virtual_memory();
    std::lock_guard lock(all.mutex);
    const auto starts = all.exactly(pointer, size);
    for (std::size_t index = 0; index < count; ++index) {
      const CUmemAccessDesc& row = rows[index];
      require(row.location.type == CU_MEM_LOCATION_TYPE_DEVICE && row.flags >= 0 && row.flags <= 3);
      context_of(row.location.id);
      for (const std::uintptr_t start : starts) {
        Allocation& allocation = *all.mapped[start].allocation;
        if (row.location.id == allocation.device) allocation.usable = row.flags != 0;
      }
    }
  });
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location,
                        CUdeviceptr pointer) {
  return driver_value(__func__, flags, [&] {
    require(location != nullptr);
    const AllocationPtr found = allocations().around(pointer);
    return location->id == found->device && found->usable ? 3 : 0;
  });
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle) {
  return driver_value(__func__, properties,
                      [&] { return physical_memories().get(handle)->properties; });
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
  return driver_value(__func__, handle, [&] {
    const auto allocation = allocations().around(reinterpret_cast<std::uintptr_t>(address));
    VirtualMemory& all = virtual_memory();
    std::lock_guard lock(all.mutex);
    const auto found = all.mapped.find(allocation->start());
    require(found != all.mapped.end());
    return physical_memories().add(found->second.memory);
  });
}

CUresult cuMemExportToShareableHandle(void* target, CUmemGenericAllocationHandle handle, int type,
                                      unsigned long long flags) {
  return driver_call(__func__, [&] {
    require(target != nullptr && flags == 0 && type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    const auto memory = physical_memories().get(handle);
    require(memory->properties.requestedHandleTypes == type);
    const int file = fcntl(memory->file, F_DUPFD_CLOEXEC, 0);
    require(file >= 0, CUDA_ERROR_OUT_OF_MEMORY);
    *static_cast<int*>(target) = file;
  });
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* source,
                                        int type) {
  return driver_value(__func__, handle, [&] {
    require(type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    auto memory = import_physical(static_cast<int>(reinterpret_cast<std::intptr_t>(source)));
    require(memory != nullptr);
    return physical_memories().add(std::move(memory));
  });
}
