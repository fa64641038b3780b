#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "base/driver_api.hpp"
#include "harness.hpp"

// Short forms of frequent calls.

namespace test {

using Bytes = std::vector<unsigned char>;

/// The primary context of a device, retained and current.
inline CUcontext use_device(CUdevice device = 0) {
  CUcontext context = nullptr;
  OK(cuInit(0));
  OK(cuDevicePrimaryCtxRetain(&context, device));
  OK(cuCtxSetCurrent(context));
  return context;
}

inline CUdeviceptr device_memory(std::size_t size) {
  CUdeviceptr pointer = 0;
  OK(cuMemAlloc_v2(&pointer, size));
  return pointer;
}

inline unsigned char* pinned_memory(std::size_t size) {
  void* pointer = nullptr;
  OK(cuMemHostAlloc(&pointer, size, 0));
  return static_cast<unsigned char*>(pointer);
}

inline CUstream stream(unsigned flags = CU_STREAM_NON_BLOCKING) {
  CUstream made = nullptr;
  OK(cuStreamCreate(&made, flags));
  return made;
}

inline CUevent event(unsigned flags = CU_EVENT_DISABLE_TIMING) {
  CUevent made = nullptr;
  OK(cuEventCreate(&made, flags));
  return made;
}

/// Returns the content of device memory when everything before in the stream is done.
inline Bytes read(CUdeviceptr pointer, std::size_t size, CUstream queue) {
  Bytes bytes(size);
  OK(cuMemcpyDtoHAsync_v2(bytes.data(), pointer, size, queue));
  return bytes;
}

/// Returns `size` bytes that count up from `first`.
inline Bytes counting(std::size_t size, unsigned char first = 0) {
  Bytes bytes(size);
  for (std::size_t index = 0; index < size; ++index) {
    bytes[index] = static_cast<unsigned char>(first + index);
  }
  return bytes;
}

inline constexpr unsigned char poison = 0xCB;

}  // namespace test
