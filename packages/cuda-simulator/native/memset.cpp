#include <cstring>

#include "call.hpp"
#include "copy.hpp"
#include "driver_api.hpp"
#include "schedule.hpp"

using namespace array_interface::cuda_simulator;

namespace {

/// Fills `count` values in stream order. The synchronous form waits only where the host can read
/// the memory; for device memory it is as asynchronous as the driver's.
template <class Value>
CUresult fill(const char* symbol, CUdeviceptr destination, Value value, std::size_t count,
              CUstream stream, Form form) {
  return context_call(symbol, [&](Context& context) {
    const auto queue = find_stream(stream, context);
    std::size_t size = 0;
    require(destination % sizeof(Value) == 0);
    require(!__builtin_mul_overflow(count, sizeof(Value), &size));
    if (size == 0) return;
    const Place place = allocations().find(destination, size);
    require(place.kind == Place::Kind::allocation);
    const TaskPtr task = schedule().enqueue(*queue, [=] {
      Mapped mapped;
      if (!map_for_device(destination, size, mapped)) return CUDA_ERROR_ILLEGAL_ADDRESS;
      for (std::size_t index = 0; index < count; ++index) {
        std::memcpy(mapped.bytes + index * sizeof(Value), &value, sizeof(Value));
      }
      return CUDA_SUCCESS;
    });
    if (form == Form::asynchronous || !place.allocation->host_readable()) return;
    schedule().wait(task);
    require_no_failure(*queue->context);
  });
}

}  // namespace

CUresult cuMemsetD8_v2(CUdeviceptr destination, unsigned char value, std::size_t count) {
  return fill(__func__, destination, value, count, nullptr, Form::synchronous);
}

CUresult cuMemsetD16_v2(CUdeviceptr destination, unsigned short value, std::size_t count) {
  return fill(__func__, destination, value, count, nullptr, Form::synchronous);
}

CUresult cuMemsetD32_v2(CUdeviceptr destination, unsigned value, std::size_t count) {
  return fill(__func__, destination, value, count, nullptr, Form::synchronous);
}

CUresult cuMemsetD8Async(CUdeviceptr destination, unsigned char value, std::size_t count,
                         CUstream stream) {
  return fill(__func__, destination, value, count, stream, Form::asynchronous);
}

CUresult cuMemsetD16Async(CUdeviceptr destination, unsigned short value, std::size_t count,
                          CUstream stream) {
  return fill(__func__, destination, value, count, stream, Form::asynchronous);
}

CUresult cuMemsetD32Async(CUdeviceptr destination, unsigned value, std::size_t count,
                          CUstream stream) {
  return fill(__func__, destination, value, count, stream, Form::asynchronous);
}
