#include <algorithm>
#include <cstring>

#include "state.hpp"

using namespace array_interface::cuda_runtime;

namespace {

int attribute(int number, int device) {
  int value = 0;
  cuDeviceGetAttribute(&value, number, device);
  return value;
}

/// Needs the driver and no context.
template <class Body>
cudaError_t device_call(Body body) noexcept {
  return note(in_turn(initialize, body));
}

CUresult fill(cudaDeviceProp* target, int device) {
  if (target == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaDeviceProp p;
  std::memset(&p, 0, sizeof p);
  const CUresult result = in_turn([&] { return cuDeviceGetName(p.name, sizeof p.name, device); },
                                  [&] { return cuDeviceGetUuid_v2(&p.uuid, device); },
                                  [&] { return cuDeviceTotalMem_v2(&p.totalGlobalMem, device); });
  if (result != CUDA_SUCCESS) return result;
  const auto of = [device](int number) { return attribute(number, device); };
  const auto size = [device](int number) {
    return static_cast<std::size_t>(attribute(number, device));
  };
  p.sharedMemPerBlock = size(8);
  p.regsPerBlock = of(12);
  p.warpSize = of(10);
  p.memPitch = size(11);
  p.maxThreadsPerBlock = of(1);
  for (int axis = 0; axis < 3; ++axis) {
    p.maxThreadsDim[axis] = of(2 + axis);
    p.maxGridSize[axis] = of(5 + axis);
  }
#if CUDART_MAJOR < 13
  p.clockRate = of(13);
  p.deviceOverlap = of(15);
  p.kernelExecTimeoutEnabled = of(17);
  p.computeMode = of(20);
  p.memoryClockRate = of(36);
  p.singleToDoublePrecisionPerfRatio = of(87);
#endif
  p.totalConstMem = size(9);
  p.major = of(75);
  p.minor = of(76);
  p.textureAlignment = size(14);
  p.texturePitchAlignment = size(51);
  p.multiProcessorCount = of(16);
  p.integrated = of(18);
  p.canMapHostMemory = of(19);
  p.concurrentKernels = of(31);
  p.ECCEnabled = of(32);
  p.pciBusID = of(33);
  p.pciDeviceID = of(34);
  p.pciDomainID = of(50);
  p.asyncEngineCount = of(40);
  p.unifiedAddressing = of(41);
  p.memoryBusWidth = of(37);
  p.l2CacheSize = of(38);
  p.maxThreadsPerMultiProcessor = of(39);
  p.streamPrioritiesSupported = of(78);
  p.globalL1CacheSupported = of(79);
  p.localL1CacheSupported = of(80);
  p.sharedMemPerMultiprocessor = size(81);
  p.regsPerMultiprocessor = of(82);
  p.managedMemory = of(83);
  p.hostNativeAtomicSupported = of(86);
  p.pageableMemoryAccess = of(88);
  p.concurrentManagedAccess = of(89);
  p.computePreemptionSupported = of(90);
  p.canUseHostPointerForRegisteredMem = of(91);
  p.cooperativeLaunch = of(95);
  p.sharedMemPerBlockOptin = size(97);
  p.maxBlocksPerMultiProcessor = of(106);
  p.reservedSharedMemPerBlock = size(111);
  p.hostRegisterSupported = of(99);
  p.memoryPoolsSupported = of(115);
  p.memoryPoolSupportedHandleTypes = static_cast<unsigned>(of(119));
  p.ipcEventSupported = 1;
  *target = p;
  return CUDA_SUCCESS;
}

}  // namespace

CUDART_EXPORT cudaDriverGetVersion(int* version) { return note(cuDriverGetVersion(version)); }

CUDART_EXPORT cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return note(cudaErrorInvalidValue);
  *version = runtime_version;
  return cudaSuccess;
}

CUDART_EXPORT cudaGetDeviceCount(int* count) {
  return device_call([&] { return cuDeviceGetCount(count); });
}

CUDART_EXPORT cudaSetDevice(int device) { return note(choose_device(device)); }

/// The thread's device stays what it is.
CUDART_EXPORT cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
  constexpr unsigned device_flags_are_valid = 1;
  if ((flags & ~device_flags_are_valid) != 0) return note(cudaErrorInvalidValue);
  const auto set_flags = [&] {
    return flags == 0 ? CUDA_SUCCESS : cuDevicePrimaryCtxSetFlags_v2(device, device_flags);
  };
  CUcontext context = nullptr;
  return note(in_turn(initialize, set_flags, [&] { return primary_of(device, &context); }));
}

CUDART_EXPORT cudaGetDevice(int* device) { return note(device_of_thread(device)); }

CUDART_EXPORT cudaDeviceGetAttribute(int* value, int number, int device) {
  return device_call([&] { return cuDeviceGetAttribute(value, number, device); });
}

#if CUDART_MAJOR < 13
CUDART_EXPORT cudaGetDeviceProperties_v2(cudaDeviceProp* properties, int device) {
  return device_call([&] { return fill(properties, device); });
}

/// The layout of CUDA 11 ends before the last fields of CUDA 12, and is a part of it.
CUDART_EXPORT cudaGetDeviceProperties(void* properties, int device) {
  constexpr std::size_t older = 728;
  if (properties == nullptr) return note(cudaErrorInvalidValue);
  cudaDeviceProp whole;
  const cudaError_t result = device_call([&] { return fill(&whole, device); });
  if (result == cudaSuccess) std::memcpy(properties, &whole, older);
  return result;
}
#else
CUDART_EXPORT cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return device_call([&] { return fill(properties, device); });
}
#endif

CUDART_EXPORT cudaChooseDevice(int* device, const void* wanted) {
  if (device == nullptr || wanted == nullptr) return note(cudaErrorInvalidValue);
  *device = 0;  // all are alike
  return cudaSuccess;
}

CUDART_EXPORT cudaDeviceSynchronize() {
  return call([] { return cuCtxSynchronize(); });
}

CUDART_EXPORT cudaDeviceReset() { return note(reset_device()); }

CUDART_EXPORT cudaDeviceSetLimit(int limit, std::size_t value) {
  return call([&] { return cuCtxSetLimit(limit, value); });
}

CUDART_EXPORT cudaDeviceGetLimit(std::size_t* value, int limit) {
  return call([&] { return cuCtxGetLimit(value, limit); });
}

CUDART_EXPORT cudaDeviceGetCacheConfig(int* config) {
  return call([&] { return cuCtxGetCacheConfig(config); });
}

CUDART_EXPORT cudaDeviceSetCacheConfig(int config) {
  return call([&] { return cuCtxSetCacheConfig(config); });
}

CUDART_EXPORT cudaDeviceGetSharedMemConfig(int* config) {
  return call([&] { return cuCtxGetSharedMemConfig(config); });
}

CUDART_EXPORT cudaDeviceSetSharedMemConfig(int config) {
  return call([&] { return cuCtxSetSharedMemConfig(config); });
}

CUDART_EXPORT cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call([&] { return cuCtxGetStreamPriorityRange(least, greatest); });
}

CUDART_EXPORT cudaGetDeviceFlags(unsigned* flags) {
  return call([&] { return cuCtxGetFlags(flags); });
}

CUDART_EXPORT cudaSetDeviceFlags(unsigned flags) {
  int device = 0;
  return note(in_turn([&] { return device_of_thread(&device); },
                      [&] { return cuDevicePrimaryCtxSetFlags_v2(device, flags); }));
}

CUDART_EXPORT cudaCtxResetPersistingL2Cache() {
  return call([] { return cuCtxResetPersistingL2Cache(); });
}

CUDART_EXPORT cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return device_call([&] { return cuDeviceGetPCIBusId(text, length, device); });
}

CUDART_EXPORT cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return device_call([&] { return cuDeviceGetByPCIBusId(device, text); });
}

CUDART_EXPORT cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return device_call([&] { return cuDeviceCanAccessPeer(can, device, peer); });
}

CUDART_EXPORT cudaDeviceGetP2PAttribute(int* value, int number, int source, int destination) {
  return device_call([&] { return cuDeviceGetP2PAttribute(value, number, source, destination); });
}

namespace {

/// Calls with the primary context of another device.
template <class Function>
cudaError_t with_peer(int peer, Function function) {
  return call([&] {
    CUcontext context = nullptr;
    return in_turn([&] { return primary_of(peer, &context); }, [&] { return function(context); });
  });
}

}  // namespace

CUDART_EXPORT cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return with_peer(peer, [&](CUcontext other) { return cuCtxEnablePeerAccess(other, flags); });
}

CUDART_EXPORT cudaDeviceDisablePeerAccess(int peer) {
  return with_peer(peer, [](CUcontext other) { return cuCtxDisablePeerAccess(other); });
}

CUDART_EXPORT cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return device_call([&] { return cuDeviceGetDefaultMemPool(pool, device); });
}

CUDART_EXPORT cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return device_call([&] { return cuDeviceGetMemPool(pool, device); });
}

CUDART_EXPORT cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return device_call([&] { return cuDeviceSetMemPool(device, pool); });
}

CUDART_EXPORT cudaProfilerStart() {
  return call([] { return cuProfilerStart(); });
}

CUDART_EXPORT cudaProfilerStop() {
  return call([] { return cuProfilerStop(); });
}

namespace {

constexpr int symbol_not_found = 1;

/// `status`: 0 found, 1 no such name, 2 of a newer version. Without flags the function is one for
/// the default stream that the program is compiled for.
cudaError_t find_entry_point(const char* name, void** function, unsigned version,
                             unsigned long long flags, int* status) {
  const bool is_own = flags == 0 && zero_is_own();
  const std::uint64_t mode = is_own ? CU_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM : flags;
  return device_call([&] {
    int found = symbol_not_found;
    const CUresult result =
        cuGetProcAddress_v2(name, function, static_cast<int>(version), mode, &found);
    if (status != nullptr) *status = found;
    return result;
  });
}

}  // namespace

CUDART_EXPORT cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                      int* status) {
  int driver = 0;
  cuDriverGetVersion(&driver);
  const int version = std::min(runtime_version, driver);
  return find_entry_point(name, function, static_cast<unsigned>(version), flags, status);
}
CUDART_PER_THREAD(cudaGetDriverEntryPoint, _ptsz,
                  (const char* name, void** function, unsigned long long flags, int* status),
                  (name, function, flags, status))

CUDART_EXPORT cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                               unsigned long long flags, int* status) {
  return find_entry_point(name, function, version, flags, status);
}
CUDART_PER_THREAD(cudaGetDriverEntryPointByVersion, _ptsz,
                  (const char* name, void** function, unsigned version, unsigned long long flags,
                   int* status),
                  (name, function, version, flags, status))

/// CUDA arrays do not exist, but programs describe them before they ask for one.
extern "C" __attribute__((visibility("default"))) cudaChannelFormatDesc cudaCreateChannelDesc(
    int x, int y, int z, int w, int kind) {
  return {x, y, z, w, kind};
}
