#include <cstring>
#include <vector>

#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "state/copy.hpp"
#include "state/schedule.hpp"
#include "work.hpp"

using namespace array_interface::cuda_simulator;

namespace {

template <class Value>
Work fill_work(CUdeviceptr destination, Value value, std::size_t count) {
  const std::size_t size = count * sizeof(Value);
  return [=] {
    Mapped mapped;
    if (!map_for_device(destination, size, mapped)) fail_access("a fill writes", destination, size);
    for (std::size_t index = 0; index < count; ++index) {
      std::memcpy(mapped.bytes + index * sizeof(Value), &value, sizeof(Value));
    }
    return CUDA_SUCCESS;
  };
}

/// Returns the allocation that `count` values at `destination` are in. Throws Failure.
template <class Value>
AllocationPtr checked(CUdeviceptr destination, std::size_t count) {
  std::size_t size = 0;
  require(destination % sizeof(Value) == 0);
  require(!__builtin_mul_overflow(count, sizeof(Value), &size));
  if (size == 0) return nullptr;
  const Place place = allocations().find(destination, size);
  require(place.kind == Place::Kind::allocation);
  return place.allocation;
}

/// Fills `count` values in stream order. The synchronous form waits only if the host can read the
/// memory. For device memory it is asynchronous, as the driver's is.
template <class Value>
CUresult fill(const char* symbol, CUdeviceptr destination, Value value, std::size_t count,
              CUstream stream, Form form) {
  return context_call(symbol, [&](Context& context) {
    const auto queue = find_stream(stream, context);
    const AllocationPtr allocation = checked<Value>(destination, count);
    if (allocation == nullptr) return;
    const TaskPtr task =
        schedule().enqueue(*queue, fill_work(destination, value, count), {}, WorkKind::fill);
    if (form == Form::asynchronous || !allocation->host_readable()) return;
    schedule().wait(task);
    queue->context->require_no_failure();
  });
}

/// The work of filling rows, for a graph.
template <class Value>
Work rows_work(const CUDA_MEMSET_NODE_PARAMS& plan) {
  require(plan.height <= 1 || plan.pitch / sizeof(Value) >= plan.width);
  std::vector<Work> rows;
  for (std::size_t row = 0; row < plan.height; ++row) {
    const CUdeviceptr start = plan.dst + row * plan.pitch;
    if (checked<Value>(start, plan.width) == nullptr) continue;
    rows.push_back(fill_work(start, static_cast<Value>(plan.value), plan.width));
  }
  return [rows] {
    for (const Work& row : rows) {
      const CUresult result = row();
      if (result != CUDA_SUCCESS) return result;
    }
    return CUDA_SUCCESS;
  };
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

namespace array_interface::cuda_simulator {

Work fill_of(const CUDA_MEMSET_NODE_PARAMS& plan) {
  switch (plan.elementSize) {
    case 1:
      return rows_work<unsigned char>(plan);
    case 2:
      return rows_work<unsigned short>(plan);
    case 4:
      return rows_work<unsigned>(plan);
    default:
      throw Failure{CUDA_ERROR_INVALID_VALUE};
  }
}

}  // namespace array_interface::cuda_simulator

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
