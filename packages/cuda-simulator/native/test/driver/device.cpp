#include <string>

#include "test/harness/gpu.hpp"

using namespace test;

CASE("device: cannot be taken for a real one") {
  OK(cuInit(0));
  char name[100];
  OK(cuDeviceGetName(name, sizeof name, 1));
  EQUAL(std::string(name), "array-interface CUDA simulator (host memory), device 1");
  OK(cuDeviceGetName(name, 6, 1));
  EQUAL(std::string(name), "array");
  CHECK(simcuda_marker >= 1);
}

CASE("device: tells its attributes, memory, identity and place") {
  OK(cuInit(0));
  const auto attribute = [](int number) {
    int value = -1;
    OK(cuDeviceGetAttribute(&value, number, 0));
    return value;
  };
  EQUAL(attribute(75), 9);  // compute capability
  EQUAL(attribute(76), 0);
  EQUAL(attribute(41), 1);   // unified addressing
  EQUAL(attribute(83), 1);   // managed memory
  EQUAL(attribute(115), 1);  // memory pools
  EQUAL(attribute(10), 32);
  EQUAL(attribute(1), 1024);
  int value = 0;
  FAILS(cuDeviceGetAttribute(&value, 0, 0), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuDeviceGetAttribute(&value, 10, 2), CUDA_ERROR_INVALID_DEVICE);
  std::size_t total = 0;
  OK(cuDeviceTotalMem_v2(&total, 0));
  EQUAL(total, std::size_t{4096} << 20);
  CUuuid first{};
  CUuuid second{};
  OK(cuDeviceGetUuid(&first, 0));
  OK(cuDeviceGetUuid_v2(&second, 1));
  CHECK(std::memcmp(&first, &second, sizeof first) != 0);
  char place[20];
  OK(cuDeviceGetPCIBusId(place, sizeof place, 1));
  CUdevice device = -1;
  OK(cuDeviceGetByPCIBusId(&device, place));
  EQUAL(device, 1);
  FAILS(cuDeviceGet(&device, -1), CUDA_ERROR_INVALID_DEVICE);
}

CASE_WITH("device: there are as many as CUDA_SIMULATOR_DEVICES says",
          {"CUDA_SIMULATOR_DEVICES", "5"}) {
  OK(cuInit(0));
  int count = 0;
  OK(cuDeviceGetCount(&count));
  EQUAL(count, 5);
  use_device(4);
}

CASE_WITH("device: none at all is what a machine without a GPU says",
          {"CUDA_SIMULATOR_DEVICES", "0"}) {
  FAILS(cuInit(0), CUDA_ERROR_NO_DEVICE);
}

CASE_WITH("device: two of them keep their memory apart", {"CUDA_SIMULATOR_SCHEDULE", "eager"}) {
  const CUcontext second = use_device(1);
  const CUdeviceptr there = device_memory(8);
  OK(cuMemsetD8_v2(there, 2, 8));
  const CUcontext first = use_device(0);
  const CUdeviceptr here = device_memory(8);
  OK(cuMemsetD8_v2(here, 1, 8));
  int ordinal = -1;
  OK(cuPointerGetAttribute(&ordinal, 9, there));
  EQUAL(ordinal, 1);
  OK(cuCtxSynchronize());
  OK(cuCtxSetCurrent(second));
  OK(cuCtxSynchronize());
  OK(cuMemcpyPeer(here, first, there, second, 8));
  CHECK(read(here, 8, nullptr) == Bytes(8, 2));
}

CASE("device: a copy between two of them is in order with all work of both") {
  const CUcontext second = use_device(1);
  const CUdeviceptr there = device_memory(8);
  const CUstream far = stream();
  OK(cuMemsetD8Async(there, 2, 8, far));
  const CUcontext first = use_device(0);
  const CUdeviceptr here = device_memory(8);
  const CUstream near = stream();
  OK(cuMemsetD8Async(here, 1, 8, near));
  OK(cuMemcpyPeer(here, first, there, second, 8));
  CHECK(read(here, 8, near) == Bytes(8, 2));
  OK(cuMemsetD8Async(there, 3, 8, far));
  CUDA_MEMCPY3D_PEER plan{};
  plan.copy.srcMemoryType = plan.copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  plan.copy.srcDevice = there;
  plan.copy.dstDevice = here;
  plan.copy.reserved0 = second;
  plan.copy.reserved1 = first;
  plan.copy.WidthInBytes = 8;
  plan.copy.Height = plan.copy.Depth = 1;
  OK(cuMemcpy3DPeer(&plan));
  CHECK(read(here, 8, near) == Bytes(8, 3));
  plan.copy.reserved0 = &plan;
  FAILS(cuMemcpy3DPeer(&plan), CUDA_ERROR_INVALID_CONTEXT);
  FAILS(cuMemcpyPeer(here, first, there, nullptr, 8), CUDA_ERROR_INVALID_CONTEXT);
}

CASE("device: functions that are to hear of a device's budget") {
  use_device();
  const auto hear = [](void*, void*, CUasyncCallbackHandle) {};
  CUasyncCallbackHandle handle = nullptr;
  FAILS(cuDeviceRegisterAsyncNotification(7, hear, nullptr, &handle), CUDA_ERROR_INVALID_DEVICE);
  FAILS(cuDeviceRegisterAsyncNotification(0, nullptr, nullptr, &handle), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuDeviceRegisterAsyncNotification(0, hear, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  OK(cuDeviceRegisterAsyncNotification(0, hear, nullptr, &handle));
  FAILS(cuDeviceUnregisterAsyncNotification(1, handle), CUDA_ERROR_INVALID_VALUE);
  OK(cuDeviceUnregisterAsyncNotification(0, handle));
  FAILS(cuDeviceUnregisterAsyncNotification(0, handle), CUDA_ERROR_INVALID_VALUE);
}
