#include "base/driver_api.hpp"
#include "base/settings.hpp"
#include "driver/call.hpp"
#include "memory/allocation_table.hpp"
#include "memory/pool.hpp"
#include "state/schedule.hpp"

using namespace array_interface::cuda_simulator;
using Kind = Allocation::Kind;

CUresult cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total) {
  return context_call(__func__, [&](Context& context) {
    require(free_bytes != nullptr && total != nullptr);
    *total = settings().memory;
    *free_bytes = *total - allocations().used(context.device);
  });
}

CUresult cuMemAlloc_v2(CUdeviceptr* pointer, std::size_t size) {
  return context_value(__func__, pointer, [&](Context& context) {
    require(size != 0);
    return allocations().make(context, context.device, Kind::device, size)->start();
  });
}

CUresult cuMemAllocPitch_v2(CUdeviceptr* pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height, unsigned element) {
  return context_call(__func__, [&](Context& context) {
    require(pointer != nullptr && pitch != nullptr && width != 0 && height != 0);
    require(element == 4 || element == 8 || element == 16);
    std::size_t size = 0;
    const std::size_t row = (width + 511) / 512 * 512;
    require(row >= width && !__builtin_mul_overflow(row, height, &size));
    *pointer = allocations().make(context, context.device, Kind::device, size)->start();
    *pitch = row;
  });
}

CUresult cuMemAllocManaged(CUdeviceptr* pointer, std::size_t size, unsigned flags) {
  return context_value(__func__, pointer, [&](Context& context) {
    require(size != 0);
    require(flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST);
    return allocations().make(context, context.device, Kind::managed, size, flags)->start();
  });
}

CUresult cuMemFree_v2(CUdeviceptr pointer) {
  return context_call(__func__, [&](Context&) {
    if (pointer == 0) return;
    const AllocationPtr found = allocations().starting_at(pointer);
    require(found != nullptr && (found->kind == Kind::device || found->kind == Kind::managed));
    const bool pooled = found->source == Allocation::Source::pool;
    require(found->source == Allocation::Source::call || (pooled && !found->given_up));
    if (!pooled) wait_for_devices(*found);  // before freeing pool memory, the program must wait
    require(allocations().remove(pointer, {Kind::device, Kind::managed}) != nullptr);
    const auto pool = pools().find(found->pool);
    if (pool != nullptr) pool->give(found->size);
  });
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr* start, std::size_t* size, CUdeviceptr pointer) {
  return context_call(__func__, [&](Context&) {
    const AllocationPtr found = allocations().around(pointer, CUDA_ERROR_NOT_FOUND);
    if (start != nullptr) *start = found->start();
    if (size != nullptr) *size = found->size;
  });
}
