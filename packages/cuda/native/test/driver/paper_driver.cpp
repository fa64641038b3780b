// A libcuda.so.1 on paper for driver_test: as old as 11.2, where functions are found by their
// exported names, with those that compile kernels. It counts what it loads.

#include <atomic>
#include <cstdint>

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

thread_local void* current = nullptr;
std::atomic<int> loads{0};
std::atomic<std::uintptr_t> last_handle{0};

void* NewHandle() { return reinterpret_cast<void*>(++last_handle); }

}  // namespace

EXPORTED int PaperLoads() { return loads; }

EXPORTED int cuDriverGetVersion(int* version) {
  *version = 11020;
  return 0;
}

EXPORTED int cuInit(unsigned) { return 0; }

EXPORTED int cuDeviceGetCount(int* count) {
  *count = 1;
  return 0;
}

EXPORTED int cuDeviceGet(int* device, int index) {
  *device = index;
  return 0;
}

EXPORTED int cuDevicePrimaryCtxRetain(void** context, int) {
  *context = NewHandle();
  return 0;
}

EXPORTED int cuDevicePrimaryCtxGetState(int, unsigned* flags, int* is_active) {
  *flags = 0;
  *is_active = 1;
  return 0;
}

EXPORTED int cuCtxGetCurrent(void** context) {
  *context = current;
  return 0;
}

EXPORTED int cuCtxPushCurrent_v2(void* context) {
  current = context;
  return 0;
}

EXPORTED int cuCtxPopCurrent_v2(void** context) {
  *context = current;
  current = nullptr;
  return 0;
}

EXPORTED int cuModuleLoadDataEx(void** module, const void*, unsigned, int*, void**) {
  ++loads;
  *module = NewHandle();
  return 0;
}

EXPORTED int cuModuleGetFunction(void** function, void*, const char*) {
  *function = NewHandle();
  return 0;
}

EXPORTED int cuModuleUnload(void*) { return 0; }
