#include "allocation.hpp"
#include "call.hpp"
#include "driver_api.hpp"
#include "schedule.hpp"

using namespace array_interface::cuda_simulator;

// Calls that stand alone.

CUresult cuProfilerStart() {
  return context_call(__func__, [](Context&) {});  // there is no profiler to start
}

CUresult cuProfilerStop() {
  return context_call(__func__, [](Context&) {});
}

CUresult cuProfilerInitialize(const char*, const char*, int) {
  return context_call(__func__, [](Context&) { throw Failure{CUDA_ERROR_NOT_SUPPORTED}; });
}

/// The driver's undocumented tables: there are none. NVRTC asks for one before cuInit. It accepts a
/// refusal, but not a driver without the call.
CUresult cuGetExportTable(const void** table, const CUuuid*) {
  if (table == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *table = nullptr;
  return CUDA_ERROR_NOT_FOUND;
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const CUresult result = cuDeviceGetAttribute(major, 75, device);
  return result == CUDA_SUCCESS ? cuDeviceGetAttribute(minor, 76, device) : result;
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* user_data,
                             unsigned flags) {
  return context_call(__func__, [&](Context& context) {
    require(callback != nullptr && flags == 0);
    const auto call = [=] {
      callback(stream, CUDA_SUCCESS, user_data);
      return CUDA_SUCCESS;
    };
    schedule().enqueue(*find_stream(stream, context), call, {}, Schedule::Kind::host_function);
  });
}

/// Changes nothing, since managed memory is always reachable from everywhere.
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, std::size_t, unsigned flags) {
  return context_call(__func__, [&](Context& context) {
    const Place place = allocations().find(pointer, 1);
    require(place.is(Allocation::Kind::managed) && (flags == 1 || flags == 2 || flags == 4));
    schedule().enqueue(*find_stream(stream, context), nullptr);
  });
}
