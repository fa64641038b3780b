#include <cstring>

#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "state/copy.hpp"
#include "state/schedule.hpp"

using namespace array_interface::cuda_simulator;

namespace {

/// Fills `count` values in stream order. The synchronous form waits only if the host can read the
/// memory. For device memory it is asynchronous, as the driver's is.
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
    queue->context->require_no_failure();
  });
}

/// Fills rows of values at a pitch, one after another.
template <class Value>
CUresult fill_rows(const char* symbol, CUdeviceptr destination, std::size_t pitch, Value value,
                   std::size_t width, std::size_t height, CUstream stream, Form form) {
  if (height > 1 && pitch / sizeof(Value) < width) return CUDA_ERROR_INVALID_VALUE;
  for (std::size_t row = 0; row < height; ++row) {
    const CUresult result = fill(symbol, destination + row * pitch, value, width, stream, form);
    if (result != CUDA_SUCCESS) return result;
  }
  return CUDA_SUCCESS;
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

CUresult cuMemsetD2D8_v2(CUdeviceptr destination, std::size_t pitch, unsigned char value,
                         std::size_t width, std::size_t height) {
  return fill_rows(__func__, destination, pitch, value, width, height, nullptr, Form::synchronous);
}

CUresult cuMemsetD2D8Async(CUdeviceptr destination, std::size_t pitch, unsigned char value,
                           std::size_t width, std::size_t height, CUstream stream) {
  return fill_rows(__func__, destination, pitch, value, width, height, stream, Form::asynchronous);
}

CUresult cuMemsetD2D16_v2(CUdeviceptr destination, std::size_t pitch, unsigned short value,
                          std::size_t width, std::size_t height) {
  return fill_rows(__func__, destination, pitch, value, width, height, nullptr, Form::synchronous);
}

CUresult cuMemsetD2D16Async(CUdeviceptr destination, std::size_t pitch, unsigned short value,
                            std::size_t width, std::size_t height, CUstream stream) {
  return fill_rows(__func__, destination, pitch, value, width, height, stream, Form::asynchronous);
}

CUresult cuMemsetD2D32_v2(CUdeviceptr destination, std::size_t pitch, unsigned value,
                          std::size_t width, std::size_t height) {
  return fill_rows(__func__, destination, pitch, value, width, height, nullptr, Form::synchronous);
}

CUresult cuMemsetD2D32Async(CUdeviceptr destination, std::size_t pitch, unsigned value,
                            std::size_t width, std::size_t height, CUstream stream) {
  return fill_rows(__func__, destination, pitch, value, width, height, stream, Form::asynchronous);
}
