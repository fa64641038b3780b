#include <thread>

#include "test/harness/gpu.hpp"

using namespace test;

CASE_EVERY_SCHEDULE("memory: bytes come back as they went") {
  use_device();
  const Bytes bytes = counting(10000, 3);
  const CUdeviceptr first = device_memory(bytes.size());
  const CUdeviceptr second = device_memory(bytes.size());
  OK(cuMemcpyHtoD_v2(first, bytes.data(), bytes.size()));
  OK(cuMemcpyDtoD_v2(second, first, bytes.size()));
  Bytes back(bytes.size());
  OK(cuMemcpyDtoH_v2(back.data(), second, back.size()));
  CHECK(back == bytes);
  OK(cuMemFree_v2(first));
  OK(cuMemFree_v2(second));
}

CASE("memory: the host can neither read nor write device memory") {
  use_device();
  CUdeviceptr pointer = device_memory(64);
  CHECK(faults([](void* p) { (void)*static_cast<volatile char*>(p); },
               reinterpret_cast<void*>(pointer)));
  CHECK(faults([](void* p) { *static_cast<volatile char*>(p) = 1; },
               reinterpret_cast<void*>(pointer)));
}

CASE("memory: the host reads and writes pinned and managed memory, and no longer when freed") {
  use_device();
  unsigned char* pinned = pinned_memory(64);
  CUdeviceptr managed = 0;
  OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
  pinned[63] = 1;
  reinterpret_cast<unsigned char*>(managed)[63] = 2;
  OK(cuMemFreeHost(pinned));
  OK(cuMemFree_v2(managed));
  CHECK(faults([](void* p) { (void)*static_cast<volatile char*>(p); }, pinned));
  CHECK(faults([](void* p) { (void)*static_cast<volatile char*>(p); },
               reinterpret_cast<void*>(managed)));
}

CASE("memory: fresh memory is poisoned") {
  use_device();
  CHECK(read(device_memory(33), 33, nullptr) == Bytes(33, poison));
  const unsigned char* pinned = pinned_memory(33);
  CHECK(Bytes(pinned, pinned + 33) == Bytes(33, poison));
}

CASE("memory: addresses are never given out twice, and allocations do not touch") {
  use_device();
  CUdeviceptr last = 0;
  for (int round = 0; round < 200; ++round) {
    const CUdeviceptr pointer = device_memory(4096);
    CHECK(last == 0 || pointer >= last + 4096 + 4096);
    last = pointer;
    OK(cuMemFree_v2(pointer));
  }
}

CASE("memory: use after free and use beyond the end are refused") {
  use_device();
  Bytes bytes(64);
  const CUdeviceptr pointer = device_memory(64);
  FAILS(cuMemcpyHtoD_v2(pointer + 1, bytes.data(), 64), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemcpyDtoH_v2(bytes.data(), pointer + 64, 1), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemsetD8_v2(pointer, 0, 65), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemFree_v2(pointer + 8), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFree_v2(pointer));
  FAILS(cuMemFree_v2(pointer), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemcpyHtoD_v2(pointer, bytes.data(), 1), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemcpyDtoHAsync_v2(bytes.data(), pointer, 1, nullptr), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemcpyHtoD_v2(reinterpret_cast<CUdeviceptr>(bytes.data()), bytes.data(), 1),
        CUDA_ERROR_INVALID_VALUE);
  OK(cuCtxSynchronize());  // refused at the call, so nothing is broken
}

CASE_WITH("memory: runs out, for each device on its own, and says how much is free",
          {"CUDA_SIMULATOR_MEMORY_MB", "8"}) {
  const CUcontext second = use_device(1);
  use_device(0);
  std::size_t free_bytes = 0;
  std::size_t total = 0;
  OK(cuMemGetInfo_v2(&free_bytes, &total));
  EQUAL(total, std::size_t{8} << 20);
  EQUAL(free_bytes, total);
  const CUdeviceptr pointer = device_memory(std::size_t{5} << 20);
  OK(cuMemGetInfo_v2(&free_bytes, &total));
  EQUAL(free_bytes, std::size_t{3} << 20);
  CUdeviceptr more = 0;
  FAILS(cuMemAlloc_v2(&more, std::size_t{4} << 20), CUDA_ERROR_OUT_OF_MEMORY);
  FAILS(cuMemAlloc_v2(&more, SIZE_MAX), CUDA_ERROR_OUT_OF_MEMORY);
  FAILS(cuMemAlloc_v2(&more, 0), CUDA_ERROR_INVALID_VALUE);
  OK(cuCtxPushCurrent_v2(second));
  OK(cuMemAlloc_v2(&more, std::size_t{4} << 20));
  OK(cuCtxPopCurrent_v2(nullptr));
  OK(cuMemFree_v2(pointer));
  OK(cuMemAlloc_v2(&more, std::size_t{8} << 20));
}

CASE("memory: runs out before the process has no mappings left, and comes back") {
  use_device();
  constexpr std::size_t most = 24'000;  // as the README says
  std::vector<CUdeviceptr> all;
  CUdeviceptr pointer = 0;
  pinned_memory(1);  // every kind counts
  while (cuMemAlloc_v2(&pointer, 1) == CUDA_SUCCESS) all.push_back(pointer);
  EQUAL(all.size(), most - 1);
  FAILS(cuMemAlloc_v2(&pointer, 1), CUDA_ERROR_OUT_OF_MEMORY);
  FAILS(cuMemAllocManaged(&pointer, 1, CU_MEM_ATTACH_GLOBAL), CUDA_ERROR_OUT_OF_MEMORY);
  std::thread([] {}).join();  // its stack needs its own mappings
  for (const CUdeviceptr one : all) OK(cuMemFree_v2(one));
  OK(cuMemAlloc_v2(&pointer, 1));
}

CASE_WITH("memory: goes on when the addresses reserved at first are used up",
          {"CUDA_SIMULATOR_ADDRESS_SPACE_GB", "1"}) {
  use_device();
  const std::size_t size = std::size_t{96} << 20;
  for (int round = 0; round < 24; ++round) {  // 2.25 GiB of addresses
    const CUdeviceptr pointer = device_memory(size);
    const unsigned char last = read(pointer + size - 1, 1, nullptr)[0];
    EQUAL(last, poison);
    OK(cuMemFree_v2(pointer));
  }
}

CASE_EVERY_SCHEDULE("memory: cuMemFree waits for work enqueued before, in whatever stream") {
  use_device();
  const CUdeviceptr pointer = device_memory(256);
  unsigned char* pinned = pinned_memory(512);
  const CUstream queue = stream();
  OK(cuMemsetD8Async(pointer, 9, 256, queue));
  OK(cuMemcpyDtoHAsync_v2(pinned, pointer, 256, queue));
  OK(cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(pinned) + 256, 7, 256, stream()));
  OK(cuMemFree_v2(pointer));
  EQUAL(static_cast<int>(pinned[255]), 9);
  EQUAL(static_cast<int>(pinned[511]), 7);
  OK(cuCtxSynchronize());
}

CASE("memory: registered host memory counts as pinned until it is unregistered") {
  use_device();
  Bytes bytes(4096, 1);
  const CUdeviceptr pointer = device_memory(4096);
  const CUstream queue = stream();
  OK(cuMemHostRegister_v2(bytes.data(), bytes.size(), 0));
  FAILS(cuMemHostRegister_v2(bytes.data() + 8, 8, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  CUdeviceptr on_device = 0;
  OK(cuMemHostGetDevicePointer_v2(&on_device, bytes.data(), 0));
  EQUAL(on_device, reinterpret_cast<CUdeviceptr>(bytes.data()));
  OK(cuMemcpyDtoHAsync_v2(bytes.data(), pointer, bytes.size(), queue));
  EQUAL(static_cast<int>(bytes[0]), 1);  // not waited for
  OK(cuMemHostUnregister(bytes.data()));
  EQUAL(static_cast<int>(bytes[0]), static_cast<int>(poison));
  FAILS(cuMemHostUnregister(bytes.data()), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  FAILS(cuMemHostGetDevicePointer_v2(&on_device, bytes.data(), 0), CUDA_ERROR_INVALID_VALUE);
}
