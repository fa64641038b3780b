#include <algorithm>

#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "memory/allocation_table.hpp"
#include "state/schedule.hpp"

using namespace array_interface::cuda_simulator;

namespace {

// Host and devices access managed memory in place. So advice and prefetching change nothing, and
// only keep the stream's order.

void check(CUdeviceptr pointer, std::size_t size) {
  require(size != 0);
  require(allocations().find(pointer, size).is(Allocation::Kind::managed));
}

CUresult prefetch(const char* symbol, CUdeviceptr pointer, std::size_t size, CUstream stream) {
  return context_call(symbol, [&](Context& context) {
    check(pointer, size);
    schedule().enqueue(*find_stream(stream, context), nullptr);
  });
}

CUresult advise(const char* symbol, CUdeviceptr pointer, std::size_t size, int advice) {
  return context_call(symbol, [&](Context&) {
    require(advice >= 1 && advice <= 6);
    check(pointer, size);
  });
}

}  // namespace

CUresult cuMemPrefetchAsync(CUdeviceptr pointer, std::size_t size, CUdevice, CUstream stream) {
  return prefetch(__func__, pointer, size, stream);
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr pointer, std::size_t size, CUmemLocation, unsigned,
                               CUstream stream) {
  return prefetch(__func__, pointer, size, stream);
}

CUresult cuMemAdvise(CUdeviceptr pointer, std::size_t size, int advice, CUdevice) {
  return advise(__func__, pointer, size, advice);
}

CUresult cuMemAdvise_v2(CUdeviceptr pointer, std::size_t size, int advice, CUmemLocation) {
  return advise(__func__, pointer, size, advice);
}

/// Does nothing, since managed memory is always accessible from everywhere.
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, std::size_t, unsigned flags) {
  return context_call(__func__, [&](Context& context) {
    const Place place = allocations().find(pointer, 1);
    require(place.is(Allocation::Kind::managed) && (flags == 1 || flags == 2 || flags == 4));
    schedule().enqueue(*find_stream(stream, context), nullptr);
  });
}

namespace {

enum RangeAttribute : int {
  read_mostly = 1,
  preferred_location = 2,
  accessed_by = 3,
  last_prefetch_location = 4,
  preferred_location_type = 5,
  preferred_location_id = 6,
  last_prefetch_location_type = 7,
  last_prefetch_location_id = 8,
};

constexpr int invalid_device = -2;

/// As if no advice had been given: it changes nothing, and is not kept.
void tell_range(void* data, std::size_t size, int attribute) {
  require(data != nullptr && size >= sizeof(int) && size % sizeof(int) == 0);
  require(attribute >= read_mostly && attribute <= last_prefetch_location_id);
  const bool is_type_or_flag = attribute == read_mostly || attribute == preferred_location_type ||
                               attribute == last_prefetch_location_type;
  const int value = is_type_or_flag ? 0 : invalid_device;
  const std::size_t count = attribute == accessed_by ? size / sizeof(int) : 1;
  std::fill_n(static_cast<int*>(data), count, value);
}

/// Checks ranges, and keeps the stream's order.
CUresult touch_ranges(const char* symbol, const CUdeviceptr* pointers, const std::size_t* sizes,
                      std::size_t count, unsigned long long flags, CUstream stream) {
  return context_call(symbol, [&](Context& context) {
    require(pointers != nullptr && sizes != nullptr && count != 0 && flags == 0);
    for (std::size_t index = 0; index < count; ++index) check(pointers[index], sizes[index]);
    schedule().enqueue(*find_stream(stream, context), nullptr);
  });
}

/// Discarded bytes are what a program may not read: 0xCB.
CUresult discard(const char* symbol, const CUdeviceptr* pointers, const std::size_t* sizes,
                 std::size_t count, unsigned long long flags, CUstream stream) {
  const CUresult result = touch_ranges(symbol, pointers, sizes, count, flags, stream);
  for (std::size_t index = 0; result == CUDA_SUCCESS && index < count; ++index) {
    const CUresult filled = cuMemsetD8Async(pointers[index], 0xCB, sizes[index], stream);
    if (filled != CUDA_SUCCESS) return filled;
  }
  return result;
}

}  // namespace

CUresult cuMemRangeGetAttribute(void* data, std::size_t size, int attribute, CUdeviceptr pointer,
                                std::size_t count) {
  return context_call(__func__, [&](Context&) {
    check(pointer, count);
    tell_range(data, size, attribute);
  });
}

CUresult cuMemRangeGetAttributes(void** data, std::size_t* sizes, int* attributes,
                                 std::size_t attribute_count, CUdeviceptr pointer,
                                 std::size_t count) {
  return context_call(__func__, [&](Context&) {
    require(data != nullptr && sizes != nullptr && attributes != nullptr && attribute_count != 0);
    check(pointer, count);
    for (std::size_t index = 0; index < attribute_count; ++index) {
      tell_range(data[index], sizes[index], attributes[index]);
    }
  });
}

CUresult cuMemPrefetchBatchAsync(CUdeviceptr* pointers, std::size_t* sizes, std::size_t count,
                                 CUmemLocation*, std::size_t*, std::size_t,
                                 unsigned long long flags, CUstream stream) {
  return touch_ranges(__func__, pointers, sizes, count, flags, stream);
}

CUresult cuMemDiscardBatchAsync(CUdeviceptr* pointers, std::size_t* sizes, std::size_t count,
                                unsigned long long flags, CUstream stream) {
  return discard(__func__, pointers, sizes, count, flags, stream);
}

CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr* pointers, std::size_t* sizes,
                                           std::size_t count, CUmemLocation*, std::size_t*,
                                           std::size_t, unsigned long long flags, CUstream stream) {
  return discard(__func__, pointers, sizes, count, flags, stream);
}
