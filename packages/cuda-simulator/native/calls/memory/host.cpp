#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "memory/allocation_table.hpp"
#include "state/schedule.hpp"

using namespace array_interface::cuda_simulator;
using Kind = Allocation::Kind;

namespace {

constexpr unsigned alloc_flags = 0x7;     // portable, device map, write combined
constexpr unsigned register_flags = 0xf;  // portable, device map, I/O memory, read only

std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

void allocate(void** pointer, std::size_t size, unsigned flags, Context& context) {
  require(pointer != nullptr && size != 0 && (flags & ~alloc_flags) == 0);
  *pointer = allocations().make(context, context.device, Kind::pinned, size, flags)->region.backing;
}

/// Returns the pinned or registered memory that contains a pointer.
AllocationPtr host_allocation(const void* pointer) {
  const Place place = allocations().find(address(pointer), 1);
  require(place.is(Kind::pinned) || place.is(Kind::registered));
  return place.allocation;
}

}  // namespace

CUresult cuMemAllocHost_v2(void** pointer, std::size_t size) {
  return context_call(__func__, [&](Context& context) { allocate(pointer, size, 0, context); });
}

CUresult cuMemHostAlloc(void** pointer, std::size_t size, unsigned flags) {
  return context_call(__func__, [&](Context& context) { allocate(pointer, size, flags, context); });
}

CUresult cuMemFreeHost(void* pointer) {
  return context_call(__func__, [&](Context&) {
    if (pointer == nullptr) return;
    const AllocationPtr found = allocations().starting_at(address(pointer));
    require(found != nullptr && found->kind == Kind::pinned);
    require(found->source == Allocation::Source::call);
    wait_for_devices(*found);
    require(allocations().remove(address(pointer), {Kind::pinned}) != nullptr);
  });
}

CUresult cuMemHostRegister_v2(void* pointer, std::size_t size, unsigned flags) {
  return context_call(__func__, [&](Context& context) {
    require(pointer != nullptr && size != 0 && (flags & ~register_flags) == 0);
    require(size <= UINTPTR_MAX - address(pointer));
    require(allocations().find(address(pointer), 1).kind != Place::Kind::invalid);
    require(allocations().adopt(context, context.device, pointer, size, flags) != nullptr,
            CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  });
}

CUresult cuMemHostRegister(void* pointer, std::size_t size, unsigned flags) {
  return cuMemHostRegister_v2(pointer, size, flags);
}

CUresult cuMemHostUnregister(void* pointer) {
  return context_call(__func__, [&](Context&) {
    require(pointer != nullptr);
    const AllocationPtr found = allocations().starting_at(address(pointer));
    require(found != nullptr && found->kind == Kind::registered,
            CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    wait_for_devices(*found);
    require(allocations().remove(address(pointer), {Kind::registered}) != nullptr,
            CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  });
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* device, void* pointer, unsigned flags) {
  return context_value(__func__, device, [&](Context&) {
    require(flags == 0);
    host_allocation(pointer);
    return address(pointer);  // one address space
  });
}

CUresult cuMemHostGetFlags(unsigned* flags, void* pointer) {
  return context_value(__func__, flags, [&](Context&) {
    return host_allocation(pointer)->flags | 2;  // always mapped on the device
  });
}
