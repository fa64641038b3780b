#include <dlfcn.h>

#include "base/driver_api.hpp"
#include "base/refused_api.hpp"
#include "test/harness/gpu.hpp"

using namespace test;

namespace {

int status_of(const char* name, int version, void** function) {
  int status = -1;
  *function = reinterpret_cast<void*>(1);
  OK(cuGetProcAddress_v2(name, function, version, 1, &status));
  return status;
}

}  // namespace

CASE_WITH("proc address: every row of the table is found by its name, version and symbol",
          {"CUDA_SIMULATOR_DRIVER_VERSION", "13050"}){
#define ROW(base, symbol, version, parameters)                            \
  {                                                                       \
    void* function = nullptr;                                             \
    EQUAL(status_of(#base, version, &function), CU_PROC_ADDRESS_SUCCESS); \
    CHECK(function == reinterpret_cast<void*>(&symbol));                  \
    CHECK(dlsym(RTLD_DEFAULT, #symbol) == function);                      \
  }
    CUDA_SIMULATOR_FUNCTIONS(ROW, ROW)
#undef ROW
}

CASE("proc address: the version decides which binary interface is meant") {
  void* function = nullptr;
  EQUAL(status_of("cuMemAlloc", 12000, &function), CU_PROC_ADDRESS_SUCCESS);
  CHECK(function == reinterpret_cast<void*>(&cuMemAlloc_v2));
  EQUAL(status_of("cuMemAlloc", 2000, &function), CU_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  CHECK(function == nullptr);
  EQUAL(status_of("cuEventElapsedTime", 12000, &function), CU_PROC_ADDRESS_SUCCESS);
  CHECK(function == reinterpret_cast<void*>(&cuEventElapsedTime));
  EQUAL(status_of("cuEventElapsedTime", 12080, &function), CU_PROC_ADDRESS_SUCCESS);
  CHECK(function == reinterpret_cast<void*>(&cuEventElapsedTime_v2));
  EQUAL(status_of("cuMemAlloc_v2", 12000, &function), CU_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  CHECK(function == nullptr);
  EQUAL(status_of("cuDoesNotExist", 12000, &function), CU_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  CHECK(dlsym(RTLD_DEFAULT, "cuMemAlloc") == nullptr);  // the old ABI with 32-bit sizes
}

CASE("proc address: a function is visible from its version on, in the form of that version") {
  const auto symbol_at = [](const char* name, int version) {
    void* function = nullptr;
    status_of(name, version, &function);
    return function;
  };
#define ROW(base, symbol, version, ...)                                   \
  if (version <= 12080) {                                                 \
    CHECK(symbol_at(#base, version - 1) != dlsym(RTLD_DEFAULT, #symbol)); \
    CHECK(symbol_at(#base, version) == dlsym(RTLD_DEFAULT, #symbol));     \
  }
  CUDA_SIMULATOR_FUNCTIONS(ROW, ROW)
  CUDA_SIMULATOR_REFUSED(ROW)
#undef ROW
}

CASE("proc address: old names have the interface of their version") {
  const CUcontext context = use_device();
  void* function = nullptr;
  EQUAL(status_of("cuDevicePrimaryCtxRelease", 7000, &function), CU_PROC_ADDRESS_SUCCESS);
  CHECK(function == reinterpret_cast<void*>(&cuDevicePrimaryCtxRelease));
  CUstream queue = stream();
  OK(cuStreamDestroy(queue));
  CUevent mark = event();
  OK(cuEventDestroy(mark));
  OK(cuCtxPushCurrent(context));
  CUcontext popped = nullptr;
  OK(cuCtxPopCurrent(&popped));
  CHECK(popped == context);
  unsigned flags = 0;
  int active = 0;
  OK(cuDevicePrimaryCtxSetFlags(0, 4));
  OK(cuDevicePrimaryCtxRelease(0));
  OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EQUAL(flags, 4u);
  EQUAL(active, 0);
  CUcontext made = nullptr;
  OK(cuCtxCreate(&made, 0, 1));
  OK(cuCtxDestroy(made));
  FAILS(cuCtxDestroy(made), CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

PROGRAM("calls what is refused") {
  OK(cuInit(0));
  void* function = nullptr;
  EQUAL(status_of("cuTexObjectCreate", 12000, &function), CU_PROC_ADDRESS_SUCCESS);
  const auto refused = reinterpret_cast<CUresult (*)(void*, void*, void*, void*)>(function);
  FAILS(refused(nullptr, nullptr, nullptr, nullptr), CUDA_ERROR_NOT_SUPPORTED);
  FAILS(refused(nullptr, nullptr, nullptr, nullptr), CUDA_ERROR_NOT_SUPPORTED);
}

CASE("proc address: what is absent refuses under its name, and says so once") {
  const Ending ending = run_program("calls what is refused");
  EQUAL(ending.status, 0);
  EQUAL(ending.error_text,
        "cuda-simulator: cuTexObjectCreate is not implemented: CUDA_ERROR_NOT_SUPPORTED\n");
}

CASE("proc address: versions above the driver's are refused") {
  int version = 0;
  OK(cuDriverGetVersion(&version));
  EQUAL(version, 12080);
  void* function = nullptr;
  int status = 0;
  FAILS(cuGetProcAddress_v2("cuInit", &function, version + 10, 1, &status),
        CUDA_ERROR_INVALID_VALUE);
  FAILS(cuGetProcAddress_v2(nullptr, &function, version, 1, &status), CUDA_ERROR_INVALID_VALUE);
  OK(cuGetProcAddress_v2("cuInit", &function, version, 0, nullptr));
}

CASE("proc address: the older form has no status, only an error") {
  void* function = nullptr;
  OK(cuGetProcAddress("cuInit", &function, 11030, 0));
  CHECK(function == reinterpret_cast<void*>(&cuInit));
  FAILS(cuGetProcAddress("cuDoesNotExist", &function, 11030, 0), CUDA_ERROR_NOT_FOUND);
  CHECK(function == nullptr);
}

CASE_WITH("proc address: an older driver does not know newer functions",
          {"CUDA_SIMULATOR_DRIVER_VERSION", "11040"}) {
  int version = 0;
  OK(cuDriverGetVersion(&version));
  EQUAL(version, 11040);
  void* function = nullptr;
  EQUAL(status_of("cuStreamGetId", 11040, &function), CU_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EQUAL(status_of("cuGetProcAddress", 11040, &function), CU_PROC_ADDRESS_SUCCESS);
  CHECK(function == reinterpret_cast<void*>(&cuGetProcAddress));
}

CASE("proc address: per-thread functions take stream 0 for the thread's own") {
  use_device();
  void* function = nullptr;
  OK(cuGetProcAddress_v2("cuMemsetD8Async", &function, 12000,
                         CU_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, nullptr));
  const auto per_thread_memset = reinterpret_cast<decltype(&cuMemsetD8Async)>(function);
  CHECK(per_thread_memset != &cuMemsetD8Async);
  OK(per_thread_memset(device_memory(8), 1, 8, nullptr));
  OK(cuStreamQuery(nullptr));  // the legacy stream is idle
  FAILS(cuStreamQuery(reinterpret_cast<CUstream>(CU_STREAM_PER_THREAD)), CUDA_ERROR_NOT_READY);
}
