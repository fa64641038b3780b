#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "test/harness/gpu.hpp"

using namespace test;

CASE("context: every call needs cuInit first") {
  int count = 0;
  CUdeviceptr pointer = 0;
  FAILS(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
  FAILS(cuMemAlloc_v2(&pointer, 8), CUDA_ERROR_NOT_INITIALIZED);
  FAILS(cuInit(1), CUDA_ERROR_INVALID_VALUE);
  OK(cuInit(0));
  OK(cuDeviceGetCount(&count));
  EQUAL(count, 2);
}

CASE("context: calls that need one say so where none is current") {
  OK(cuInit(0));
  CUdeviceptr pointer = 0;
  CUstream queue = nullptr;
  CUdevice device = 0;
  FAILS(cuMemAlloc_v2(&pointer, 8), CUDA_ERROR_INVALID_CONTEXT);
  FAILS(cuStreamCreate(&queue, 0), CUDA_ERROR_INVALID_CONTEXT);
  FAILS(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
  FAILS(cuCtxGetDevice(&device), CUDA_ERROR_INVALID_CONTEXT);
  FAILS(cuCtxPopCurrent_v2(nullptr), CUDA_ERROR_INVALID_CONTEXT);
  FAILS(cuCtxSetCurrent(reinterpret_cast<CUcontext>(0x1234)), CUDA_ERROR_INVALID_CONTEXT);
}

CASE("context: is a stack for each thread") {
  const CUcontext second = use_device(1);
  const CUcontext first = use_device(0);
  CHECK(first != second);
  OK(cuCtxPushCurrent_v2(second));
  CUdevice device = -1;
  OK(cuCtxGetDevice(&device));
  EQUAL(device, 1);
  OK(cuCtxGetDevice_v2(&device, first));
  EQUAL(device, 0);
  OK(cuCtxSynchronize_v2(first));
  std::thread([] {
    CUcontext current = reinterpret_cast<CUcontext>(1);
    OK(cuCtxGetCurrent(&current));
    CHECK(current == nullptr);
  }).join();
  CUcontext popped = nullptr;
  OK(cuCtxPopCurrent_v2(&popped));
  CHECK(popped == second);
  OK(cuCtxGetCurrent(&popped));
  CHECK(popped == first);
  OK(cuCtxSetCurrent(nullptr));
  OK(cuCtxGetCurrent(&popped));
  CHECK(popped == nullptr);
}

CASE_EVERY_SCHEDULE("context: ends with the last release, and takes everything along") {
  const CUcontext context = use_device();
  CUcontext again = nullptr;
  OK(cuDevicePrimaryCtxRetain(&again, 0));
  CHECK(again == context);
  const CUdeviceptr pointer = device_memory(64);
  const CUstream queue = stream();
  const CUevent mark = event();
  OK(cuMemsetD8Async(pointer, 1, 64, queue));
  unsigned long long id = 0;
  OK(cuCtxGetId(context, &id));
  OK(cuDevicePrimaryCtxRelease_v2(0));
  unsigned flags = 1;
  int active = 0;
  OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EQUAL(active, 1);
  OK(cuDevicePrimaryCtxRelease_v2(0));
  OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EQUAL(active, 0);
  FAILS(cuStreamQuery(queue), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  FAILS(cuCtxSetCurrent(context), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  FAILS(cuDevicePrimaryCtxRelease_v2(0), CUDA_ERROR_INVALID_CONTEXT);
  OK(cuDevicePrimaryCtxRetain(&again, 0));
  OK(cuCtxSetCurrent(again));
  FAILS(cuMemFree_v2(pointer), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuStreamQuery(queue), CUDA_ERROR_INVALID_HANDLE);
  FAILS(cuEventQuery(mark), CUDA_ERROR_INVALID_HANDLE);
  unsigned long long new_id = 0;
  OK(cuCtxGetId(again, &new_id));
  CHECK(new_id != id);
}

CASE("context: peers are found, enabled once and disabled once") {
  const CUcontext second = use_device(1);
  use_device(0);
  int can = 0;
  OK(cuDeviceCanAccessPeer(&can, 0, 1));
  EQUAL(can, 1);
  OK(cuDeviceCanAccessPeer(&can, 1, 1));
  EQUAL(can, 0);
  OK(cuCtxEnablePeerAccess(second, 0));
  FAILS(cuCtxEnablePeerAccess(second, 0), CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  OK(cuCtxDisablePeerAccess(second));
  FAILS(cuCtxDisablePeerAccess(second), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
}

CASE("context: a forked child has to do without the driver") {
  use_device();
  const pid_t child = fork();
  int count = 0;
  if (child == 0) {
    const bool refused = cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED &&
                         cuInit(0) == CUDA_ERROR_NOT_INITIALIZED;
    _exit(refused ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EQUAL(status, 0);
}

CASE("context: a context of the program's own, beside the primary one") {
  const CUcontext primary = use_device();
  CUcontext made = nullptr;
  OK(cuCtxCreate_v2(&made, 0, 0));
  CHECK(made != primary);
  CUcontext current = nullptr;
  OK(cuCtxGetCurrent(&current));
  CHECK(current == made);
  const CUdeviceptr pointer = device_memory(64);
  OK(cuPointerGetAttribute(&current, 1, pointer));
  CHECK(current == made);
  OK(cuMemsetD8Async(pointer, 3, 64, nullptr));
  OK(cuCtxPopCurrent_v2(nullptr));
  CHECK(read(pointer, 64, nullptr) == Bytes(64, poison));  // the two default streams are distinct
  OK(cuCtxSynchronize_v2(made));
  CHECK(read(pointer, 64, nullptr) == Bytes(64, 3));
  OK(cuCtxDestroy_v2(made));
  FAILS(cuCtxSetCurrent(made), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  FAILS(cuCtxDestroy_v2(made), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  FAILS(cuCtxDestroy_v2(primary), CUDA_ERROR_INVALID_CONTEXT);
  FAILS(cuMemFree_v2(pointer), CUDA_ERROR_INVALID_VALUE);
}

CASE("context: one that fails leaves the others alone; limits are kept") {
  use_device();
  CUcontext made = nullptr;
  OK(cuCtxCreate_v4(&made, nullptr, 0, 1));
  OK(cuCtxSetLimit(0, 4096));
  std::size_t limit = 0;
  OK(cuCtxGetLimit(&limit, 0));
  EQUAL(limit, std::size_t{4096});
  CUdevice device = -1;
  OK(cuCtxGetDevice(&device));
  EQUAL(device, 1);
  const CUstream queue = stream();
  CUdeviceptr pointer = 0;
  OK(cuMemAllocAsync(&pointer, 8, queue));
  OK(cuMemFreeAsync(pointer, queue));
  OK(cuMemsetD8Async(pointer, 1, 8, queue));
  FAILS(cuStreamSynchronize(queue), CUDA_ERROR_ILLEGAL_ADDRESS);
  FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  OK(cuCtxPopCurrent_v2(nullptr));
  OK(cuCtxSynchronize());
  OK(cuCtxDestroy_v2(made));
}

CASE_WITH("context: devices that are no peers", {"CUDA_SIMULATOR_PEERS", "0"}) {
  const CUcontext second = use_device(1);
  const CUdeviceptr there = device_memory(8);
  const CUcontext first = use_device(0);
  int can = -1;
  OK(cuDeviceCanAccessPeer(&can, 0, 1));
  EQUAL(can, 0);
  FAILS(cuCtxEnablePeerAccess(second, 0), CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
  const CUdeviceptr here = device_memory(8);
  const CUstream queue = stream();
  OK(cuMemsetD8Async(here, 4, 8, queue));
  OK(cuMemcpyPeerAsync(there, second, here, first, 8, queue));
  CHECK(read(there, 8, queue) == Bytes(8, 4));
}

CASE_WITH("context: a device that reaches another and is not reached by it",
          {"CUDA_SIMULATOR_PEERS", "2"}) {
  const CUcontext first = use_device(0);
  const CUcontext second = use_device(1);
  for (const int device : {0, 1}) {
    int can = -1;
    OK(cuDeviceCanAccessPeer(&can, device, 1 - device));
    EQUAL(can, device);
    OK(cuDeviceGetP2PAttribute(&can, 2, device, 1 - device));
    EQUAL(can, device);
  }
  OK(cuCtxEnablePeerAccess(first, 0));
  use_device(0);
  FAILS(cuCtxEnablePeerAccess(second, 0), CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
}
