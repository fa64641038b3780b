#include <cstring>

#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "memory/allocation_table.hpp"
#include "memory/ipc_memory.hpp"

using namespace array_interface::cuda_simulator;

namespace {

enum Attribute : int {
  context_attribute = 1,
  memory_type = 2,
  device_pointer = 3,
  host_pointer = 4,
  sync_memops = 6,
  buffer_id = 7,
  is_managed = 8,
  device_ordinal = 9,
  legacy_ipc_capable = 10,
  range_start = 11,
  range_size = 12,
  mapped = 13,
  allowed_handle_types = 14,
  gpu_direct_rdma_capable = 15,
  access_flags = 16,
  mempool_handle = 17,
};

constexpr std::uint64_t read_and_write = 3;

/// The value of an attribute, and how many of its bytes the caller receives.
struct Value {
  std::size_t size = 0;  ///< 0: no such attribute
  std::uint64_t bits = 0;
  bool exists = true;  ///< false: this kind of memory lacks it
};

/// `allocation` is null for a pointer that the driver does not track; then everything is zero.
Value value_of(int attribute, const Allocation* allocation, CUdeviceptr pointer) {
  const bool known = allocation != nullptr;
  const auto number = [&](std::size_t size, std::uint64_t bits) {
    return Value{size, known ? bits : 0};
  };
  switch (attribute) {
    case context_attribute:
      return number(8, known && allocation->context != nullptr
                           ? reinterpret_cast<std::uint64_t>(allocation->context->handle())
                           : 0);
    case memory_type: {
      const bool host = known && (allocation->kind == Allocation::Kind::pinned ||
                                  allocation->kind == Allocation::Kind::registered);
      return number(4, host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    }
    case device_pointer:
      return number(8, pointer);
    case host_pointer:
      if (known && !allocation->host_readable()) return {8, 0, false};
      return number(8, pointer);
    case sync_memops:
      return number(4, known && allocation->sync_memops ? 1 : 0);
    case legacy_ipc_capable:
      return number(4, known && can_be_shared(*allocation) ? 1 : 0);
    case gpu_direct_rdma_capable:
      return number(4, 0);
    case buffer_id:
      return number(8, known ? allocation->id : 0);
    case is_managed:
      return number(4, known && allocation->kind == Allocation::Kind::managed ? 1 : 0);
    case device_ordinal:
      return number(4, known ? static_cast<std::uint64_t>(allocation->device) : 0);
    case range_start:
      return number(8, known ? allocation->start() : 0);
    case range_size:
      return number(8, known ? allocation->size : 0);
    case mapped:
      return number(4, 1);
    case allowed_handle_types:
      return number(8, 0);
    case access_flags:
      return number(4, read_and_write);
    case mempool_handle:
      return number(8, known ? reinterpret_cast<std::uint64_t>(allocation->pool) : 0);
    default:
      return {0, 0};
  }
}

}  // namespace

CUresult cuPointerGetAttribute(void* data, int attribute, CUdeviceptr pointer) {
  return context_call(__func__, [&](Context&) {
    require(data != nullptr);
    const Value value = value_of(attribute, allocations().around(pointer).get(), pointer);
    require(value.size != 0 && value.exists);
    std::memcpy(data, &value.bits, value.size);
  });
}

CUresult cuPointerGetAttributes(unsigned count, int* attributes, void** data, CUdeviceptr pointer) {
  return context_call(__func__, [&](Context&) {
    require(count != 0 && attributes != nullptr && data != nullptr);
    const AllocationPtr allocation = allocations().find(pointer, 1).allocation;
    for (unsigned index = 0; index < count; ++index) {  // all or nothing
      require(data[index] != nullptr && value_of(attributes[index], nullptr, 0).size != 0);
    }
    for (unsigned index = 0; index < count; ++index) {
      const Value value = value_of(attributes[index], allocation.get(), pointer);
      std::memcpy(data[index], &value.bits, value.size);
    }
  });
}

CUresult cuPointerSetAttribute(const void* value, int attribute, CUdeviceptr pointer) {
  return context_call(__func__, [&](Context&) {
    require(value != nullptr && attribute == sync_memops);
    const Place place = allocations().find(pointer, 1);
    require(place.is(Allocation::Kind::device));
    place.allocation->sync_memops = *static_cast<const int*>(value) != 0;
  });
}
