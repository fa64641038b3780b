#include "test/harness/gpu.hpp"

using namespace test;

namespace {

CUDA_MEMCPY2D plan_2d(std::size_t width, std::size_t height) {
  CUDA_MEMCPY2D plan{};
  plan.WidthInBytes = width;
  plan.Height = height;
  return plan;
}

}  // namespace

CASE("copy: pageable memory is read before the call returns") {
  use_device();
  Bytes bytes(32, 1);
  const CUdeviceptr pointer = device_memory(32);
  const CUstream queue = stream();
  OK(cuMemcpyHtoDAsync_v2(pointer, bytes.data(), 32, queue));
  bytes.assign(32, 2);
  CHECK(read(pointer, 32, queue) == Bytes(32, 1));
}

CASE("copy: pinned memory is read when the copy runs") {
  use_device();
  unsigned char* pinned = pinned_memory(32);
  std::memset(pinned, 1, 32);
  const CUdeviceptr pointer = device_memory(32);
  const CUstream queue = stream();
  OK(cuMemcpyHtoDAsync_v2(pointer, pinned, 32, queue));
  std::memset(pinned, 2, 32);
  CHECK(read(pointer, 32, queue) == Bytes(32, 2));
}

CASE("copy: to pageable memory waits, to pinned memory only in the synchronous form") {
  use_device();
  const CUdeviceptr pointer = device_memory(32);
  const CUstream queue = stream();
  unsigned char* pinned = pinned_memory(32);
  std::memset(pinned, 1, 32);
  OK(cuMemsetD8Async(pointer, 3, 32, queue));
  OK(cuMemcpyDtoHAsync_v2(pinned, pointer, 32, queue));
  EQUAL(static_cast<int>(pinned[31]), 1);
  CHECK(read(pointer, 32, queue) == Bytes(32, 3));
  OK(cuMemcpyDtoH_v2(pinned, pointer, 32));
  EQUAL(static_cast<int>(pinned[31]), 3);
}

CASE("copy: the synchronous form does not wait for the transfer of pageable memory") {
  use_device();
  const Bytes bytes(32, 1);
  const CUdeviceptr pointer = device_memory(32);
  OK(cuMemcpyHtoD_v2(pointer, bytes.data(), 32));
  CHECK(read(pointer, 32, stream()) ==
        Bytes(32, poison));  // as documented: unordered without a wait
  CHECK(read(pointer, 32, nullptr) == bytes);
}

CASE_EVERY_SCHEDULE("copy: cuMemcpy goes by what the addresses are") {
  use_device();
  const Bytes bytes = counting(48);
  Bytes back(48);
  const CUdeviceptr pointer = device_memory(48);
  const auto address = [](const Bytes& b) { return reinterpret_cast<CUdeviceptr>(b.data()); };
  OK(cuMemcpy(pointer, address(bytes), 48));
  OK(cuMemcpy(address(back), pointer, 48));
  CHECK(back == bytes);
  Bytes third(48);
  OK(cuMemcpyAsync(address(third), address(back), 48, stream()));
  CHECK(third == bytes);
}

CASE_EVERY_SCHEDULE("copy: two-dimensional, with pitches and offsets, in all directions") {
  use_device();
  const std::size_t host_pitch = 10;
  const std::size_t device_pitch = 16;
  Bytes bytes = counting(host_pitch * 6);
  const CUdeviceptr pointer = device_memory(device_pitch * 5);
  const CUstream queue = stream();
  OK(cuMemsetD8Async(pointer, 0, device_pitch * 5, queue));

  CUDA_MEMCPY2D up = plan_2d(4, 3);
  up.srcMemoryType = CU_MEMORYTYPE_HOST;
  up.srcHost = bytes.data();
  up.srcPitch = host_pitch;
  up.srcXInBytes = 2;
  up.srcY = 1;
  up.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  up.dstDevice = pointer;
  up.dstPitch = device_pitch;
  up.dstXInBytes = 3;
  up.dstY = 2;
  OK(cuMemcpy2DAsync_v2(&up, queue));
  const Bytes all = read(pointer, device_pitch * 5, queue);
  for (std::size_t row = 0; row < 5; ++row) {
    for (std::size_t column = 0; column < device_pitch; ++column) {
      const bool inside = row >= 2 && column >= 3 && column < 7;
      const int expected = inside ? bytes[(row - 2 + 1) * host_pitch + column - 3 + 2] : 0;
      EQUAL(static_cast<int>(all[row * device_pitch + column]), expected);
    }
  }

  Bytes back(host_pitch * 3, 99);
  CUDA_MEMCPY2D down = plan_2d(4, 3);
  down.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  down.srcDevice = pointer;
  down.srcPitch = device_pitch;
  down.srcXInBytes = 3;
  down.srcY = 2;
  down.dstMemoryType = CU_MEMORYTYPE_HOST;
  down.dstHost = back.data();
  down.dstPitch = host_pitch;
  OK(cuMemcpy2D_v2(&down));
  for (std::size_t row = 0; row < 3; ++row) {
    EQUAL(static_cast<int>(back[row * host_pitch + 3]),
          static_cast<int>(bytes[(row + 1) * host_pitch + 5]));
    EQUAL(static_cast<int>(back[row * host_pitch + 4]), 99);
  }
}

CASE("copy: two-dimensional copies are checked, row by row") {
  use_device();
  Bytes bytes(64);
  const CUdeviceptr pointer = device_memory(64);
  CUDA_MEMCPY2D plan = plan_2d(8, 4);
  plan.srcMemoryType = CU_MEMORYTYPE_HOST;
  plan.srcHost = bytes.data();
  plan.srcPitch = 8;
  plan.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  plan.dstDevice = pointer;
  plan.dstPitch = 16;
  OK(cuMemcpy2D_v2(&plan));  // accesses up to byte 3 * 16 + 8
  plan.dstXInBytes = 8;
  OK(cuMemcpy2D_v2(&plan));  // exactly to the end
  plan.dstY = 1;
  FAILS(cuMemcpy2D_v2(&plan), CUDA_ERROR_INVALID_VALUE);
  plan.dstY = 0;
  plan.dstXInBytes = 9;
  FAILS(cuMemcpy2D_v2(&plan), CUDA_ERROR_INVALID_VALUE);  // wider than the pitch
  plan.dstXInBytes = 0;
  plan.dstPitch = SIZE_MAX / 2;
  FAILS(cuMemcpy2D_v2(&plan), CUDA_ERROR_INVALID_VALUE);
  plan.dstPitch = 16;
  plan.dstMemoryType = 3;
  FAILS(cuMemcpy2D_v2(&plan), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemcpy2D_v2(nullptr), CUDA_ERROR_INVALID_VALUE);
}

CASE_EVERY_SCHEDULE("copy: memset writes values of 1, 2 and 4 bytes") {
  use_device();
  const CUdeviceptr pointer = device_memory(12);
  const CUstream queue = stream();
  OK(cuMemsetD8Async(pointer, 0x11, 4, queue));
  OK(cuMemsetD16Async(pointer + 4, 0x2233, 2, queue));
  OK(cuMemsetD32Async(pointer + 8, 0x44556677, 1, queue));
  CHECK(read(pointer, 12, queue) ==
        (Bytes{0x11, 0x11, 0x11, 0x11, 0x33, 0x22, 0x33, 0x22, 0x77, 0x66, 0x55, 0x44}));
  FAILS(cuMemsetD32Async(pointer + 2, 0, 1, queue), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemsetD32Async(pointer, 0, SIZE_MAX / 2, queue), CUDA_ERROR_INVALID_VALUE);
}

CASE("copy: memset waits where the host can see the memory, and only there") {
  use_device();
  unsigned char* pinned = pinned_memory(4);
  OK(cuMemsetD8_v2(reinterpret_cast<CUdeviceptr>(pinned), 1, 4));
  EQUAL(static_cast<int>(pinned[0]), 1);
  OK(cuMemsetD8_v2(device_memory(4), 1, 4));
  FAILS(cuStreamQuery(nullptr), CUDA_ERROR_NOT_READY);
}

CASE("copy: of no bytes does nothing") {
  use_device();
  OK(cuMemcpyHtoD_v2(device_memory(1), nullptr, 0));
  FAILS(cuMemcpyHtoD_v2(device_memory(1), nullptr, 1), CUDA_ERROR_INVALID_VALUE);
}
