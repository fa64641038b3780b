#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "test/harness/gpu.hpp"

using namespace test;

CASE("errors: have names with the prefix, and sentences; unknown numbers have none") {
  const char* text = nullptr;
  OK(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text));
  EQUAL(std::string(text), "CUDA_ERROR_OUT_OF_MEMORY");
  OK(cuGetErrorName(CUDA_SUCCESS, &text));
  EQUAL(std::string(text), "CUDA_SUCCESS");
  OK(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  EQUAL(std::string(text), "an illegal memory access was encountered");
  FAILS(cuGetErrorName(static_cast<CUresult>(12345), &text), CUDA_ERROR_INVALID_VALUE);
  CHECK(text == nullptr);
  FAILS(cuGetErrorString(static_cast<CUresult>(-1), &text), CUDA_ERROR_INVALID_VALUE);
}

CASE_EVERY_SCHEDULE(
    "errors: memory freed under a copy of another device is found in stream order") {
  const CUcontext second = use_device(1);
  const CUdeviceptr there = device_memory(64);
  const CUcontext first = use_device(0);
  const CUdeviceptr here = device_memory(64);
  const CUstream queue = stream();
  struct Gate {
    std::atomic<bool> open{false};
  } gate;
  OK(cuLaunchHostFunc(
      queue,
      [](void* data) {
        while (!static_cast<Gate*>(data)->open) std::this_thread::yield();
      },
      &gate));
  OK(cuMemcpyPeerAsync(here, first, there, second, 64, queue));
  OK(cuMemFree_v2(there));  // waits for its own device only
  gate.open = true;
  FAILS(cuStreamSynchronize(queue), CUDA_ERROR_ILLEGAL_ADDRESS);
  CUdeviceptr more = 0;
  FAILS(cuMemAlloc_v2(&more, 8), CUDA_ERROR_ILLEGAL_ADDRESS);  // sticky
  FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  OK(cuCtxSetCurrent(second));
  OK(cuMemAlloc_v2(&more, 8));  // only that context failed
  OK(cuDevicePrimaryCtxReset_v2(0));
  use_device(0);
  OK(cuMemAlloc_v2(&more, 8));  // a new one works
}

CASE_WITH("errors: CUDA_SIMULATOR_FAIL makes the n-th call fail",
          {"CUDA_SIMULATOR_FAIL", "cuMemAlloc:2,cuStreamCreate:1:UNKNOWN"}) {
  use_device();
  CUdeviceptr pointer = 0;
  CUstream queue = nullptr;
  OK(cuMemAlloc_v2(&pointer, 8));
  FAILS(cuMemAlloc_v2(&pointer, 8), CUDA_ERROR_OUT_OF_MEMORY);
  OK(cuMemAlloc_v2(&pointer, 8));
  FAILS(cuStreamCreate(&queue, 0), CUDA_ERROR_UNKNOWN);
  OK(cuStreamCreate(&queue, 0));
}

CASE_WITH("errors: a planned failure of the sticky kind breaks the context",
          {"CUDA_SIMULATOR_FAIL", "cuMemsetD8Async:1:LAUNCH_FAILED"}) {
  use_device();
  const CUdeviceptr pointer = device_memory(8);
  FAILS(cuMemsetD8Async(pointer, 0, 8, nullptr), CUDA_ERROR_LAUNCH_FAILED);
  FAILS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
}

CASE_WITH("errors: a call planned to fail always does, and several faults are kept apart",
          {"CUDA_SIMULATOR_FAIL", "cuStreamCreate:*:UNKNOWN,cuEventCreate:2"}) {
  use_device();
  CUstream queue = nullptr;
  CUevent mark = nullptr;
  for (int round = 0; round < 3; ++round) FAILS(cuStreamCreate(&queue, 0), CUDA_ERROR_UNKNOWN);
  OK(cuEventCreate(&mark, 0));
  FAILS(cuEventCreate(&mark, 0), CUDA_ERROR_OUT_OF_MEMORY);
  OK(cuEventCreate(&mark, 0));
}

CASE("errors: faults planned by the program itself, and counts of calls") {
  use_device();
  EQUAL(simcuda_calls("cuEventCreate"), 0ul);
  OK(cuEventDestroy_v2(event()));
  EQUAL(simcuda_calls("cuEventCreate"), 1ul);
  EQUAL(simcuda_calls("cuEventDestroy"), 1ul);
  EQUAL(simcuda_calls("cuEventDestroy_v2"), 1ul);
  EQUAL(simcuda_calls("cuNothing"), 0ul);
  EQUAL(simcuda_fail("cuEventCreate:1:UNKNOWN"), 0);
  EQUAL(simcuda_fail("cuStreamCreate:1,cuNothing:1"), 1);  // then none of it is planned
  OK(cuStreamDestroy_v2(stream()));
  CUevent mark = nullptr;
  FAILS(cuEventCreate(&mark, 0), CUDA_ERROR_UNKNOWN);
  EQUAL(simcuda_fail("cuEventCreate:*,cuDriverGetVersion:1:UNKNOWN"), 0);
  FAILS(cuEventCreate(&mark, 0), CUDA_ERROR_OUT_OF_MEMORY);
  int version = 0;
  FAILS(cuDriverGetVersion(&version), CUDA_ERROR_UNKNOWN);
  EQUAL(simcuda_fail(nullptr), 0);
  OK(cuEventCreate(&mark, 0));
}

CASE("errors: a thread that is spared neither fails nor counts") {
  use_device();
  CUevent mark = nullptr;
  EQUAL(simcuda_fail("cuEventCreate:2:UNKNOWN"), 0);
  simcuda_spare(1);
  for (int round = 0; round < 3; ++round) OK(cuEventCreate(&mark, 0));
  EQUAL(simcuda_failed("cuEventCreate"), 0ul);
  simcuda_spare(0);
  OK(cuEventCreate(&mark, 0));
  FAILS(cuEventCreate(&mark, 0), CUDA_ERROR_UNKNOWN);
  EQUAL(simcuda_failed("cuEventCreate"), 1ul);
  EQUAL(simcuda_failed("cuEventQuery"), 0ul);
}

CASE("errors: what is refused is counted apart from what was planned, and from what is pending") {
  use_device();
  EQUAL(simcuda_refused("cuMemFree"), 0ul);
  FAILS(cuMemFree_v2(1), CUDA_ERROR_INVALID_VALUE);
  EQUAL(simcuda_refused("cuMemFree"), 1ul);
  EQUAL(simcuda_refused("cuMemFree_v2"), 1ul);
  CUdeviceptr pointer = 0;
  EQUAL(simcuda_fail("cuMemAlloc:1"), 0);
  FAILS(cuMemAlloc_v2(&pointer, 8), CUDA_ERROR_OUT_OF_MEMORY);
  EQUAL(simcuda_refused("cuMemAlloc"), 0ul);
  CUstream queue = stream();
  OK(cuMemAlloc_v2(&pointer, 8));
  OK(cuMemsetD8Async(pointer, 1, 8, queue));
  FAILS(cuStreamQuery(queue), CUDA_ERROR_NOT_READY);
  EQUAL(simcuda_refused("cuStreamQuery"), 0ul);
  EQUAL(simcuda_refused("cuNothing"), 0ul);
}

CASE("errors: failures of a function are those of all that are exported for it") {
  use_device();
  CUuuid uuid{};
  EQUAL(simcuda_fail("cuDeviceGetUuid:*:UNKNOWN"), 0);
  for (int round = 0; round < 2; ++round) FAILS(cuDeviceGetUuid(&uuid, 0), CUDA_ERROR_UNKNOWN);
  for (int round = 0; round < 3; ++round) FAILS(cuDeviceGetUuid_v2(&uuid, 0), CUDA_ERROR_UNKNOWN);
  EQUAL(simcuda_fail(nullptr), 0);
  EQUAL(simcuda_failed("cuDeviceGetUuid_v2"), 3ul);
  EQUAL(simcuda_failed("cuDeviceGetUuid"), 5ul);
}

CASE("errors: counts of what is there") {
  const auto counts = [] {
    std::string text;
    for (const char* kind : {"allocations", "streams", "events", "modules", "pools"}) {
      text += std::to_string(simcuda_live(kind)) + " ";
    }
    return text;
  };
  EQUAL(counts(), "0 0 0 0 0 ");
  EQUAL(simcuda_live("contexts"), ~0ul);
  EQUAL(simcuda_live(nullptr), ~0ul);
  use_device();
  const CUdeviceptr pointer = device_memory(8);
  CUdeviceptr managed = 0;
  OK(cuMemAllocManaged(&managed, 8, CU_MEM_ATTACH_GLOBAL));
  unsigned char* const pinned = pinned_memory(8);
  Bytes bytes(8);
  OK(cuMemHostRegister_v2(bytes.data(), 8, 0));
  EQUAL(counts(), "4 0 0 0 0 ");
  const CUstream queue = stream();
  const CUevent mark = event();
  CUmodule module = nullptr;
  OK(cuModuleLoadData(&module,
                      ".version 6.0\n.target sm_60\n.address_size 64\n.global .u32 counter;"));
  EQUAL(counts(), "4 1 1 1 0 ");  // the module's variable is not counted
  CUdeviceptr pooled = 0;
  OK(cuMemAllocAsync(&pooled, 8, queue));  // from the device's default pool
  CUmemoryPool pool = nullptr;
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  OK(cuMemPoolCreate(&pool, &properties));
  EQUAL(counts(), "5 1 1 1 1 ");
  OK(cuMemsetD8Async(managed, 1, 8, nullptr));  // creates the default stream, which is not counted
  OK(cuMemFreeAsync(pooled, queue));
  EQUAL(counts(), "4 1 1 1 1 ");  // freed, though the work is pending
  OK(cuMemPoolDestroy(pool));
  OK(cuModuleUnload(module));
  OK(cuEventDestroy_v2(mark));
  OK(cuStreamDestroy_v2(queue));
  EQUAL(counts(), "4 0 0 0 0 ");
  OK(cuMemFreeHost(pinned));
  OK(cuMemHostUnregister(bytes.data()));
  OK(cuMemFree_v2(managed));
  OK(cuMemFree_v2(pointer));
  EQUAL(counts(), "0 0 0 0 0 ");
  CUlibrary library = nullptr;
  OK(cuLibraryLoadData(&library, ".version 6.0\n.target sm_60\n.address_size 64\n", nullptr,
                       nullptr, 0, nullptr, nullptr, 0));
  OK(cuLibraryGetModule(&module, library));
  EQUAL(counts(), "0 0 0 1 0 ");
  OK(cuLibraryUnload(library));
  EQUAL(counts(), "0 0 0 0 0 ");
  device_memory(8);
  stream();
  event();
  OK(cuDevicePrimaryCtxRelease_v2(0));
  EQUAL(counts(), "0 0 0 0 0 ");  // they end with their context
}

PROGRAM("program: a few calls") {
  use_device();
  CUdeviceptr pointer = 0;
  cuMemAlloc_v2(&pointer, 0);
  OK(cuMemFree_v2(device_memory(8)));
}

CASE("errors: a log has every call and its result, one a line") {
  const std::string name = "cuda-simulator-log-" + std::to_string(getpid());
  const std::string path = std::filesystem::temp_directory_path() / name;
  const Ending ending = run_program("program: a few calls", {{"CUDA_SIMULATOR_LOG", path}});
  EQUAL(ending.status, 0);
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  std::remove(path.c_str());
  EQUAL(text.str(),
        "cuInit CUDA_SUCCESS\ncuDevicePrimaryCtxRetain CUDA_SUCCESS\ncuCtxSetCurrent "
        "CUDA_SUCCESS\ncuMemAlloc_v2 CUDA_ERROR_INVALID_VALUE\ncuMemAlloc_v2 "
        "CUDA_SUCCESS\ncuMemFree_v2 CUDA_SUCCESS\n");
}

PROGRAM("program: initialise") { std::exit(cuInit(0)); }

CASE("errors: an environment that cannot be understood is refused in one line") {
  const std::pair<const char*, const char*> bad[] = {
      {"CUDA_SIMULATOR_SCHEDULE", "sometimes"},   {"CUDA_SIMULATOR_SCHEDULE", "random:"},
      {"CUDA_SIMULATOR_DEVICES", "-1"},           {"CUDA_SIMULATOR_MEMORY_MB", "12x"},
      {"CUDA_SIMULATOR_FAIL", "cuMemAlloc"},      {"CUDA_SIMULATOR_FAIL", "cuNothing:1"},
      {"CUDA_SIMULATOR_FAIL", "cuMemAlloc:1:NO"}, {"CUDA_SIMULATOR_DRIVER_VERSION", "12"},
  };
  for (const auto& [name, value] : bad) {
    const Ending ending = run_program("program: initialise", {{name, value}});
    EQUAL(ending.status, static_cast<int>(CUDA_ERROR_INVALID_VALUE));
    CHECK(ending.error_text.rfind(std::string("cuda-simulator: ") + name + ": expected ", 0) == 0);
    CHECK(ending.error_text.find(value) != std::string::npos);
    EQUAL(ending.error_text.find('\n'), ending.error_text.size() - 1);
  }
  EQUAL(run_program("program: initialise", {{"CUDA_SIMULATOR_FAIL", ""}}).status, 0);
}
