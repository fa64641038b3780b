#pragma once

#include "driver/abi.hpp"
#include "driver/entry_point.hpp"

namespace array_interface::cuda {

// The table of driver functions: base name for cuGetProcAddress, exported symbol for drivers that
// lack cuGetProcAddress, driver version that introduced the ABI declared here, parameters. The
// driver's own version would select later ABIs. To add a function, add a row.
#define ARRAY_INTERFACE_CUDA_ENTRY_POINTS(X)                                                       \
  X(cuGetErrorName, cuGetErrorName, 6000, (Result, const char**))                                  \
  X(cuGetErrorString, cuGetErrorString, 6000, (Result, const char**))                              \
  X(cuDriverGetVersion, cuDriverGetVersion, 2020, (int*))                                          \
  X(cuInit, cuInit, 2000, (unsigned))                                                              \
  X(cuDeviceGetCount, cuDeviceGetCount, 2000, (int*))                                              \
  X(cuDeviceGet, cuDeviceGet, 2000, (DeviceNumber*, int))                                          \
  X(cuDeviceGetName, cuDeviceGetName, 2000, (char*, int, DeviceNumber))                            \
  X(cuDeviceTotalMem, cuDeviceTotalMem_v2, 3020, (std::size_t*, DeviceNumber))                     \
  X(cuDeviceCanAccessPeer, cuDeviceCanAccessPeer, 4000, (int*, DeviceNumber, DeviceNumber))        \
  X(cuDeviceGetAttribute, cuDeviceGetAttribute, 2000, (int*, DeviceAttribute, DeviceNumber))       \
  X(cuDeviceGetUuid, cuDeviceGetUuid, 9020, (Uuid*, DeviceNumber))                                 \
  X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, 7000, (ContextHandle*, DeviceNumber))      \
  X(cuDevicePrimaryCtxGetState, cuDevicePrimaryCtxGetState, 7000, (DeviceNumber, unsigned*, int*)) \
  X(cuCtxGetId, cuCtxGetId, 12000, (ContextHandle, std::uint64_t*))                                \
  X(cuCtxGetCurrent, cuCtxGetCurrent, 4000, (ContextHandle*))                                      \
  X(cuCtxSetCurrent, cuCtxSetCurrent, 4000, (ContextHandle))                                       \
  X(cuCtxPushCurrent, cuCtxPushCurrent_v2, 4000, (ContextHandle))                                  \
  X(cuCtxPopCurrent, cuCtxPopCurrent_v2, 4000, (ContextHandle*))                                   \
  X(cuCtxGetDevice, cuCtxGetDevice, 2000, (DeviceNumber*))                                         \
  X(cuCtxEnablePeerAccess, cuCtxEnablePeerAccess, 4000, (ContextHandle, unsigned))                 \
  X(cuPointerGetAttributes, cuPointerGetAttributes, 7000,                                          \
    (unsigned, PointerAttribute*, void**, DevicePointer))                                          \
  X(cuMemAlloc, cuMemAlloc_v2, 3020, (DevicePointer*, std::size_t))                                \
  X(cuMemFree, cuMemFree_v2, 3020, (DevicePointer))                                                \
  X(cuMemAllocManaged, cuMemAllocManaged, 6000, (DevicePointer*, std::size_t, unsigned))           \
  X(cuMemGetAddressRange, cuMemGetAddressRange_v2, 3020,                                           \
    (DevicePointer*, std::size_t*, DevicePointer))                                                 \
  X(cuMemHostAlloc, cuMemHostAlloc, 2020, (void**, std::size_t, unsigned))                         \
  X(cuMemFreeHost, cuMemFreeHost, 2000, (void*))                                                   \
  X(cuMemHostGetDevicePointer, cuMemHostGetDevicePointer_v2, 3020,                                 \
    (DevicePointer*, void*, unsigned))                                                             \
  X(cuMemHostRegister, cuMemHostRegister_v2, 6050, (void*, std::size_t, unsigned))                 \
  X(cuMemHostUnregister, cuMemHostUnregister, 4000, (void*))                                       \
  X(cuDeviceGetDefaultMemPool, cuDeviceGetDefaultMemPool, 11020, (PoolHandle*, DeviceNumber))      \
  X(cuMemPoolCreate, cuMemPoolCreate, 11020, (PoolHandle*, const PoolProperties*))                 \
  X(cuMemPoolDestroy, cuMemPoolDestroy, 11020, (PoolHandle))                                       \
  X(cuMemPoolGetAttribute, cuMemPoolGetAttribute, 11020, (PoolHandle, PoolAttribute, void*))       \
  X(cuMemPoolSetAttribute, cuMemPoolSetAttribute, 11020, (PoolHandle, PoolAttribute, void*))       \
  X(cuMemPoolSetAccess, cuMemPoolSetAccess, 11020, (PoolHandle, const PoolAccess*, std::size_t))   \
  X(cuMemPoolTrimTo, cuMemPoolTrimTo, 11020, (PoolHandle, std::size_t))                            \
  X(cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync, 11020,                                       \
    (DevicePointer*, std::size_t, PoolHandle, StreamHandle))                                       \
  X(cuMemFreeAsync, cuMemFreeAsync, 11020, (DevicePointer, StreamHandle))                          \
  X(cuIpcGetMemHandle, cuIpcGetMemHandle, 4010, (IpcHandle*, DevicePointer))                       \
  X(cuIpcOpenMemHandle, cuIpcOpenMemHandle_v2, 11000, (DevicePointer*, IpcHandle, unsigned))       \
  X(cuIpcCloseMemHandle, cuIpcCloseMemHandle, 4010, (DevicePointer))                               \
  X(cuIpcGetEventHandle, cuIpcGetEventHandle, 4010, (IpcHandle*, EventHandle))                     \
  X(cuIpcOpenEventHandle, cuIpcOpenEventHandle, 4010, (EventHandle*, IpcHandle))                   \
  X(cuMemcpyAsync, cuMemcpyAsync, 4000, (DevicePointer, DevicePointer, std::size_t, StreamHandle)) \
  X(cuMemcpy2DAsync, cuMemcpy2DAsync_v2, 3020, (const Copy2D*, StreamHandle))                      \
  X(cuMemcpy3DAsync, cuMemcpy3DAsync_v2, 3020, (const Copy3D*, StreamHandle))                      \
  X(cuStreamCreateWithPriority, cuStreamCreateWithPriority, 5050, (StreamHandle*, unsigned, int))  \
  X(cuStreamDestroy, cuStreamDestroy_v2, 4000, (StreamHandle))                                     \
  X(cuStreamQuery, cuStreamQuery, 2000, (StreamHandle))                                            \
  X(cuStreamSynchronize, cuStreamSynchronize, 2000, (StreamHandle))                                \
  X(cuStreamWaitEvent, cuStreamWaitEvent, 3020, (StreamHandle, EventHandle, unsigned))             \
  X(cuStreamGetCtx, cuStreamGetCtx, 9020, (StreamHandle, ContextHandle*))                          \
  X(cuStreamGetPriority, cuStreamGetPriority, 5050, (StreamHandle, int*))                          \
  X(cuStreamGetFlags, cuStreamGetFlags, 5050, (StreamHandle, unsigned*))                           \
  X(cuStreamIsCapturing, cuStreamIsCapturing, 10000, (StreamHandle, CaptureStatus*))               \
  X(cuThreadExchangeStreamCaptureMode, cuThreadExchangeStreamCaptureMode, 10010, (CaptureMode*))   \
  X(cuEventCreate, cuEventCreate, 2000, (EventHandle*, unsigned))                                  \
  X(cuEventRecord, cuEventRecord, 2000, (EventHandle, StreamHandle))                               \
  X(cuEventQuery, cuEventQuery, 2000, (EventHandle))                                               \
  X(cuEventSynchronize, cuEventSynchronize, 2000, (EventHandle))                                   \
  X(cuEventElapsedTime, cuEventElapsedTime, 2000, (float*, EventHandle, EventHandle))              \
  X(cuEventDestroy, cuEventDestroy_v2, 4000, (EventHandle))                                        \
  X(cuModuleLoadDataEx, cuModuleLoadDataEx, 2010,                                                  \
    (ModuleHandle*, const void*, unsigned, JitOption*, void**))                                    \
  X(cuModuleGetFunction, cuModuleGetFunction, 2000, (FunctionHandle*, ModuleHandle, const char*))  \
  X(cuModuleUnload, cuModuleUnload, 2000, (ModuleHandle))                                          \
  X(cuFuncGetAttribute, cuFuncGetAttribute, 2020, (int*, FunctionAttribute, FunctionHandle))       \
  X(cuFuncGetParamInfo, cuFuncGetParamInfo, 12040,                                                 \
    (FunctionHandle, std::size_t, std::size_t*, std::size_t*))                                     \
  X(cuFuncSetAttribute, cuFuncSetAttribute, 9000, (FunctionHandle, FunctionAttribute, int))        \
  X(cuLaunchKernel, cuLaunchKernel, 4000,                                                          \
    (FunctionHandle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,         \
     StreamHandle, void**, void**))

/// The driver's functions. Calling one that the driver lacks throws.
struct EntryPoints {
#define ARRAY_INTERFACE_CUDA_MEMBER(name, symbol, version, parameters) \
  EntryPoint<Result parameters> name{#name, #symbol, version};
  ARRAY_INTERFACE_CUDA_ENTRY_POINTS(ARRAY_INTERFACE_CUDA_MEMBER)
#undef ARRAY_INTERFACE_CUDA_MEMBER

  /// Calls `visit(entry)` for each function.
  template <class Visit>
  void ForEach(Visit&& visit) {
#define ARRAY_INTERFACE_CUDA_VISIT(name, symbol, version, parameters) visit(name);
    ARRAY_INTERFACE_CUDA_ENTRY_POINTS(ARRAY_INTERFACE_CUDA_VISIT)
#undef ARRAY_INTERFACE_CUDA_VISIT
  }
};

}  // namespace array_interface::cuda
