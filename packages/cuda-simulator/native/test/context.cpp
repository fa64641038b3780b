#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "gpu.hpp"

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
