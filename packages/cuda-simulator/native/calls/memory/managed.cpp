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
