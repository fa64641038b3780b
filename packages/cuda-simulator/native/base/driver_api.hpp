#pragma once

#include "cuda_abi.hpp"

// The table of all exported functions, by family: base name as cuGetProcAddress takes it, exported
// symbol, the driver version that introduced this ABI of it, and its parameters. A base name may
// have several rows.
//
// PLAIN   does not depend on the default stream.
// STREAM  uses a stream, named or implied. If it is requested with the per-thread flag, 0 is the
//         thread's own stream.
//
// To add a function: a row here, and a body in the file of its family.
// clang-format off: it takes the parameters for products
#define CUDA_SIMULATOR_FUNCTIONS(PLAIN, STREAM)                                                    \
  /* calls/context/device.cpp */                                                                   \
  PLAIN(cuInit, cuInit, 2000, (unsigned flags))                                                    \
  PLAIN(cuDriverGetVersion, cuDriverGetVersion, 2020, (int* version))                              \
  PLAIN(cuDeviceGetCount, cuDeviceGetCount, 2000, (int* count))                                    \
  PLAIN(cuDeviceGet, cuDeviceGet, 2000, (CUdevice * device, int ordinal))                          \
  PLAIN(cuDeviceGetName, cuDeviceGetName, 2000, (char* name, int length, CUdevice device))         \
  PLAIN(cuDeviceTotalMem, cuDeviceTotalMem_v2, 3020, (std::size_t * bytes, CUdevice device))       \
  PLAIN(cuDeviceGetUuid, cuDeviceGetUuid, 9020, (CUuuid * uuid, CUdevice device))                  \
  PLAIN(cuDeviceGetUuid, cuDeviceGetUuid_v2, 11040, (CUuuid * uuid, CUdevice device))              \
  PLAIN(cuDeviceGetPCIBusId, cuDeviceGetPCIBusId, 4010, (char* text, int length, CUdevice device)) \
  PLAIN(cuDeviceGetByPCIBusId, cuDeviceGetByPCIBusId, 4010, (CUdevice * device, const char* text)) \
  PLAIN(cuDeviceGetAttribute, cuDeviceGetAttribute, 2000,                                          \
        (int* value, int attribute, CUdevice device))                                              \
  PLAIN(cuDeviceComputeCapability, cuDeviceComputeCapability, 2000,                                \
        (int* major, int* minor, CUdevice device))                                                 \
  /* calls/context/peer.cpp */                                                                     \
  PLAIN(cuDeviceGetP2PAttribute, cuDeviceGetP2PAttribute, 8000,                                    \
        (int* value, int attribute, CUdevice source, CUdevice destination))                        \
  PLAIN(cuDeviceCanAccessPeer, cuDeviceCanAccessPeer, 4000,                                        \
        (int* can, CUdevice device, CUdevice peer))                                                \
  PLAIN(cuCtxEnablePeerAccess, cuCtxEnablePeerAccess, 4000, (CUcontext peer, unsigned flags))      \
  PLAIN(cuCtxDisablePeerAccess, cuCtxDisablePeerAccess, 4000, (CUcontext peer))                    \
  /* calls/context/primary.cpp */                                                                  \
  PLAIN(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, 7000,                                  \
        (CUcontext * context, CUdevice device))                                                    \
  PLAIN(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease, 7000, (CUdevice device))             \
  PLAIN(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset, 7000, (CUdevice device))                 \
  PLAIN(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags, 7000,                              \
        (CUdevice device, unsigned flags))                                                         \
  PLAIN(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, 11000, (CUdevice device))         \
  PLAIN(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2, 11000, (CUdevice device))             \
  PLAIN(cuDevicePrimaryCtxGetState, cuDevicePrimaryCtxGetState, 7000,                              \
        (CUdevice device, unsigned* flags, int* active))                                           \
  PLAIN(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2, 11000,                          \
        (CUdevice device, unsigned flags))                                                         \
  /* calls/context/current.cpp */                                                                  \
  PLAIN(cuCtxGetCurrent, cuCtxGetCurrent, 4000, (CUcontext * context))                             \
  PLAIN(cuCtxSetCurrent, cuCtxSetCurrent, 4000, (CUcontext context))                               \
  PLAIN(cuCtxPushCurrent, cuCtxPushCurrent, 2000, (CUcontext context))                             \
  PLAIN(cuCtxPopCurrent, cuCtxPopCurrent, 2000, (CUcontext * context))                             \
  PLAIN(cuCtxPushCurrent, cuCtxPushCurrent_v2, 4000, (CUcontext context))                          \
  PLAIN(cuCtxPopCurrent, cuCtxPopCurrent_v2, 4000, (CUcontext * context))                          \
  PLAIN(cuCtxGetDevice, cuCtxGetDevice, 2000, (CUdevice * device))                                 \
  PLAIN(cuCtxGetDevice, cuCtxGetDevice_v2, 13000, (CUdevice * device, CUcontext context))          \
  PLAIN(cuCtxGetId, cuCtxGetId, 12000, (CUcontext context, unsigned long long* id))                \
  PLAIN(cuCtxGetFlags, cuCtxGetFlags, 7000, (unsigned* flags))                                     \
  PLAIN(cuCtxGetApiVersion, cuCtxGetApiVersion, 3020, (CUcontext context, unsigned* version))      \
  PLAIN(cuCtxGetStreamPriorityRange, cuCtxGetStreamPriorityRange, 5050,                            \
        (int* least, int* greatest))                                                               \
  PLAIN(cuCtxSynchronize, cuCtxSynchronize, 2000, ())                                              \
  PLAIN(cuCtxSynchronize, cuCtxSynchronize_v2, 13000, (CUcontext context))                         \
  /* calls/context/context.cpp */                                                                  \
  PLAIN(cuCtxCreate, cuCtxCreate, 2000, (CUcontext * context, unsigned flags, CUdevice device))    \
  PLAIN(cuCtxDestroy, cuCtxDestroy, 2000, (CUcontext context))                                     \
  PLAIN(cuCtxCreate, cuCtxCreate_v2, 3020, (CUcontext * context, unsigned flags, CUdevice device)) \
  PLAIN(cuCtxCreate, cuCtxCreate_v3, 11040,                                                        \
        (CUcontext*, const void* affinity, int count, unsigned flags, CUdevice))                   \
  PLAIN(cuCtxCreate, cuCtxCreate_v4, 12050,                                                        \
        (CUcontext*, const CUctxCreateParams*, unsigned flags, CUdevice device))                   \
  PLAIN(cuCtxDestroy, cuCtxDestroy_v2, 4000, (CUcontext context))                                  \
  PLAIN(cuCtxAttach, cuCtxAttach, 2000, (CUcontext * context, unsigned flags))                     \
  PLAIN(cuCtxDetach, cuCtxDetach, 2000, (CUcontext context))                                       \
  PLAIN(cuCtxGetLimit, cuCtxGetLimit, 3010, (std::size_t * value, int limit))                      \
  PLAIN(cuCtxSetLimit, cuCtxSetLimit, 3010, (int limit, std::size_t value))                        \
  PLAIN(cuCtxGetCacheConfig, cuCtxGetCacheConfig, 3020, (int* config))                             \
  PLAIN(cuCtxSetCacheConfig, cuCtxSetCacheConfig, 3020, (int config))                              \
  PLAIN(cuCtxGetSharedMemConfig, cuCtxGetSharedMemConfig, 4020, (int* config))                     \
  PLAIN(cuCtxSetSharedMemConfig, cuCtxSetSharedMemConfig, 4020, (int config))                      \
  PLAIN(cuCtxSetFlags, cuCtxSetFlags, 12010, (unsigned flags))                                     \
  PLAIN(cuCtxResetPersistingL2Cache, cuCtxResetPersistingL2Cache, 11000, ())                       \
  PLAIN(cuProfilerStart, cuProfilerStart, 4000, ())                                                \
  PLAIN(cuProfilerStop, cuProfilerStop, 4000, ())                                                  \
  PLAIN(cuProfilerInitialize, cuProfilerInitialize, 4000,                                          \
        (const char* config, const char* output, int mode))                                        \
  /* calls/memory/device.cpp */                                                                    \
  PLAIN(cuMemAllocPitch, cuMemAllocPitch_v2, 3020,                                                 \
        (CUdeviceptr*, std::size_t * pitch, std::size_t width, std::size_t height,                 \
         unsigned element))                                                                        \
  PLAIN(cuMemGetInfo, cuMemGetInfo_v2, 3020, (std::size_t * free_bytes, std::size_t * total))      \
  PLAIN(cuMemAlloc, cuMemAlloc_v2, 3020, (CUdeviceptr * pointer, std::size_t size))                \
  PLAIN(cuMemAllocManaged, cuMemAllocManaged, 6000,                                                \
        (CUdeviceptr * pointer, std::size_t size, unsigned flags))                                 \
  PLAIN(cuMemFree, cuMemFree_v2, 3020, (CUdeviceptr pointer))                                      \
  PLAIN(cuMemGetAddressRange, cuMemGetAddressRange_v2, 3020,                                       \
        (CUdeviceptr * start, std::size_t * size, CUdeviceptr pointer))                            \
  /* calls/memory/host.cpp */                                                                      \
  PLAIN(cuMemAllocHost, cuMemAllocHost_v2, 3020, (void** pointer, std::size_t size))               \
  PLAIN(cuMemHostAlloc, cuMemHostAlloc, 2020, (void** pointer, std::size_t size, unsigned flags))  \
  PLAIN(cuMemFreeHost, cuMemFreeHost, 2000, (void* pointer))                                       \
  PLAIN(cuMemHostRegister, cuMemHostRegister, 4000,                                                \
        (void* pointer, std::size_t size, unsigned flags))                                         \
  PLAIN(cuMemHostRegister, cuMemHostRegister_v2, 6050,                                             \
        (void* pointer, std::size_t size, unsigned flags))                                         \
  PLAIN(cuMemHostUnregister, cuMemHostUnregister, 4000, (void* pointer))                           \
  PLAIN(cuMemHostGetDevicePointer, cuMemHostGetDevicePointer_v2, 3020,                             \
        (CUdeviceptr * device, void* pointer, unsigned flags))                                     \
  PLAIN(cuMemHostGetFlags, cuMemHostGetFlags, 2030, (unsigned* flags, void* pointer))              \
  /* calls/memory/pointer.cpp */                                                                   \
  PLAIN(cuPointerSetAttribute, cuPointerSetAttribute, 6000,                                        \
        (const void* value, int attribute, CUdeviceptr pointer))                                   \
  PLAIN(cuPointerGetAttribute, cuPointerGetAttribute, 4000,                                        \
        (void* data, int attribute, CUdeviceptr pointer))                                          \
  PLAIN(cuPointerGetAttributes, cuPointerGetAttributes, 7000,                                      \
        (unsigned count, int* attributes, void** data, CUdeviceptr pointer))                       \
  /* calls/memory/ipc.cpp */                                                                       \
  PLAIN(cuIpcGetMemHandle, cuIpcGetMemHandle, 4010,                                                \
        (CUipcMemHandle * handle, CUdeviceptr pointer))                                            \
  PLAIN(cuIpcOpenMemHandle, cuIpcOpenMemHandle, 4010,                                              \
        (CUdeviceptr * pointer, CUipcMemHandle handle, unsigned flags))                            \
  PLAIN(cuIpcOpenMemHandle, cuIpcOpenMemHandle_v2, 11000,                                          \
        (CUdeviceptr * pointer, CUipcMemHandle handle, unsigned flags))                            \
  PLAIN(cuIpcCloseMemHandle, cuIpcCloseMemHandle, 4010, (CUdeviceptr pointer))                     \
  /* calls/stream/ipc.cpp */                                                                       \
  PLAIN(cuIpcGetEventHandle, cuIpcGetEventHandle, 4010,                                            \
        (CUipcEventHandle * handle, CUevent event))                                                \
  PLAIN(cuIpcOpenEventHandle, cuIpcOpenEventHandle, 4010,                                          \
        (CUevent * event, CUipcEventHandle handle))                                                \
  /* calls/memory/pool.cpp */                                                                      \
  STREAM(cuMemAllocAsync, cuMemAllocAsync, 11020,                                                  \
         (CUdeviceptr * pointer, std::size_t size, CUstream stream))                               \
  STREAM(cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync, 11020,                                  \
         (CUdeviceptr * pointer, std::size_t size, CUmemoryPool, CUstream))                        \
  STREAM(cuMemFreeAsync, cuMemFreeAsync, 11020, (CUdeviceptr pointer, CUstream stream))            \
  PLAIN(cuDeviceGetDefaultMemPool, cuDeviceGetDefaultMemPool, 11020,                               \
        (CUmemoryPool * pool, CUdevice device))                                                    \
  PLAIN(cuDeviceGetMemPool, cuDeviceGetMemPool, 11020, (CUmemoryPool * pool, CUdevice device))     \
  PLAIN(cuDeviceSetMemPool, cuDeviceSetMemPool, 11020, (CUdevice device, CUmemoryPool pool))       \
  PLAIN(cuMemGetDefaultMemPool, cuMemGetDefaultMemPool, 13000,                                     \
        (CUmemoryPool * pool, CUmemLocation * location, int type))                                 \
  PLAIN(cuMemGetMemPool, cuMemGetMemPool, 13000,                                                   \
        (CUmemoryPool * pool, CUmemLocation * location, int type))                                 \
  PLAIN(cuMemSetMemPool, cuMemSetMemPool, 13000,                                                   \
        (CUmemLocation * location, int type, CUmemoryPool pool))                                   \
  PLAIN(cuMemPoolCreate, cuMemPoolCreate, 11020,                                                   \
        (CUmemoryPool * pool, const CUmemPoolProps* properties))                                   \
  PLAIN(cuMemPoolDestroy, cuMemPoolDestroy, 11020, (CUmemoryPool pool))                            \
  PLAIN(cuMemPoolTrimTo, cuMemPoolTrimTo, 11020, (CUmemoryPool pool, std::size_t kept))            \
  PLAIN(cuMemPoolSetAttribute, cuMemPoolSetAttribute, 11020,                                       \
        (CUmemoryPool pool, int attribute, void* value))                                           \
  PLAIN(cuMemPoolGetAttribute, cuMemPoolGetAttribute, 11020,                                       \
        (CUmemoryPool pool, int attribute, void* value))                                           \
  PLAIN(cuMemPoolSetAccess, cuMemPoolSetAccess, 11020,                                             \
        (CUmemoryPool pool, const CUmemAccessDesc* rows, std::size_t count))                       \
  PLAIN(cuMemPoolGetAccess, cuMemPoolGetAccess, 11020,                                             \
        (int* flags, CUmemoryPool pool, CUmemLocation* location))                                  \
  /* calls/memory/pool_export.cpp */                                                               \
  PLAIN(cuMemPoolExportToShareableHandle, cuMemPoolExportToShareableHandle, 11020,                 \
        (void* handle, CUmemoryPool pool, int type, unsigned long long flags))                     \
  PLAIN(cuMemPoolImportFromShareableHandle, cuMemPoolImportFromShareableHandle, 11020,             \
        (CUmemoryPool * pool, void* handle, int type, unsigned long long flags))                   \
  PLAIN(cuMemPoolExportPointer, cuMemPoolExportPointer, 11020,                                     \
        (CUmemPoolPtrExportData * data, CUdeviceptr pointer))                                      \
  PLAIN(cuMemPoolImportPointer, cuMemPoolImportPointer, 11020,                                     \
        (CUdeviceptr * pointer, CUmemoryPool, CUmemPoolPtrExportData * data))                      \
  /* calls/memory/virtual.cpp */                                                                   \
  PLAIN(cuMemGetAllocationGranularity, cuMemGetAllocationGranularity, 10020,                       \
        (std::size_t*, const CUmemAllocationProp*, int option))                                    \
  PLAIN(cuMemCreate, cuMemCreate, 10020,                                                           \
        (CUmemGenericAllocationHandle * handle, std::size_t size,                                  \
         const CUmemAllocationProp* properties, unsigned long long flags))                         \
  PLAIN(cuMemRelease, cuMemRelease, 10020, (CUmemGenericAllocationHandle handle))                  \
  PLAIN(cuMemAddressReserve, cuMemAddressReserve, 10020,                                           \
        (CUdeviceptr * pointer, std::size_t size, std::size_t alignment, CUdeviceptr wish,         \
         unsigned long long flags))                                                                \
  PLAIN(cuMemAddressFree, cuMemAddressFree, 10020, (CUdeviceptr pointer, std::size_t size))        \
  PLAIN(cuMemMap, cuMemMap, 10020,                                                                 \
        (CUdeviceptr pointer, std::size_t size, std::size_t offset,                                \
         CUmemGenericAllocationHandle handle, unsigned long long flags))                           \
  PLAIN(cuMemUnmap, cuMemUnmap, 10020, (CUdeviceptr pointer, std::size_t size))                    \
  PLAIN(cuMemSetAccess, cuMemSetAccess, 10020,                                                     \
        (CUdeviceptr, std::size_t, const CUmemAccessDesc* rows, std::size_t count))                \
  PLAIN(cuMemGetAccess, cuMemGetAccess, 10020,                                                     \
        (unsigned long long* flags, const CUmemLocation* location, CUdeviceptr))                   \
  PLAIN(cuMemGetAllocationPropertiesFromHandle, cuMemGetAllocationPropertiesFromHandle, 10020,     \
        (CUmemAllocationProp*, CUmemGenericAllocationHandle))                                      \
  PLAIN(cuMemRetainAllocationHandle, cuMemRetainAllocationHandle, 11000,                           \
        (CUmemGenericAllocationHandle * handle, void* address))                                    \
  PLAIN(cuMemExportToShareableHandle, cuMemExportToShareableHandle, 10020,                         \
        (void* target, CUmemGenericAllocationHandle handle, int type, unsigned long long flags))   \
  PLAIN(cuMemImportFromShareableHandle, cuMemImportFromShareableHandle, 10020,                     \
        (CUmemGenericAllocationHandle*, void* source, int type))                                   \
  /* calls/memory/memcpy.cpp */                                                                    \
  STREAM(cuMemcpy3D, cuMemcpy3D_v2, 3020, (const CUDA_MEMCPY3D* copy))                             \
  STREAM(cuMemcpy3DAsync, cuMemcpy3DAsync_v2, 3020, (const CUDA_MEMCPY3D* copy, CUstream stream))  \
  STREAM(cuMemcpy, cuMemcpy, 4000,                                                                 \
         (CUdeviceptr destination, CUdeviceptr source, std::size_t size))                          \
  STREAM(cuMemcpyAsync, cuMemcpyAsync, 4000,                                                       \
         (CUdeviceptr destination, CUdeviceptr source, std::size_t size, CUstream))                \
  STREAM(cuMemcpyHtoD, cuMemcpyHtoD_v2, 3020,                                                      \
         (CUdeviceptr destination, const void* source, std::size_t size))                          \
  STREAM(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2, 3020,                                            \
         (CUdeviceptr, const void* source, std::size_t size, CUstream))                            \
  STREAM(cuMemcpyDtoH, cuMemcpyDtoH_v2, 3020,                                                      \
         (void* destination, CUdeviceptr source, std::size_t size))                                \
  STREAM(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, 3020,                                            \
         (void* destination, CUdeviceptr source, std::size_t size, CUstream))                      \
  STREAM(cuMemcpyDtoD, cuMemcpyDtoD_v2, 3020,                                                      \
         (CUdeviceptr destination, CUdeviceptr source, std::size_t size))                          \
  STREAM(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2, 3020,                                            \
         (CUdeviceptr, CUdeviceptr source, std::size_t size, CUstream))                            \
  STREAM(cuMemcpyPeer, cuMemcpyPeer, 4000,                                                         \
         (CUdeviceptr, CUcontext, CUdeviceptr source, CUcontext, std::size_t size))                \
  STREAM(cuMemcpyPeerAsync, cuMemcpyPeerAsync, 4000,                                               \
         (CUdeviceptr, CUcontext, CUdeviceptr source, CUcontext, std::size_t size, CUstream))      \
  STREAM(cuMemcpy2D, cuMemcpy2D_v2, 3020, (const CUDA_MEMCPY2D* copy))                             \
  STREAM(cuMemcpy2DUnaligned, cuMemcpy2DUnaligned_v2, 3020, (const CUDA_MEMCPY2D* copy))           \
  STREAM(cuMemcpy2DAsync, cuMemcpy2DAsync_v2, 3020, (const CUDA_MEMCPY2D* copy, CUstream stream))  \
  /* calls/memory/memset.cpp */                                                                    \
  STREAM(cuMemsetD2D8, cuMemsetD2D8_v2, 3020,                                                      \
         (CUdeviceptr, std::size_t, unsigned char, std::size_t, std::size_t))                      \
  STREAM(cuMemsetD2D16, cuMemsetD2D16_v2, 3020,                                                    \
         (CUdeviceptr, std::size_t, unsigned short, std::size_t, std::size_t))                     \
  STREAM(cuMemsetD2D32, cuMemsetD2D32_v2, 3020,                                                    \
         (CUdeviceptr, std::size_t, unsigned, std::size_t, std::size_t))                           \
  STREAM(cuMemsetD2D8Async, cuMemsetD2D8Async, 3020,                                               \
         (CUdeviceptr, std::size_t pitch, unsigned char, std::size_t width, std::size_t height,    \
          CUstream))                                                                               \
  STREAM(cuMemsetD2D16Async, cuMemsetD2D16Async, 3020,                                             \
         (CUdeviceptr, std::size_t pitch, unsigned short, std::size_t width, std::size_t height,   \
          CUstream))                                                                               \
  STREAM(                                                                                          \
      cuMemsetD2D32Async, cuMemsetD2D32Async, 3020,                                                \
      (CUdeviceptr, std::size_t pitch, unsigned, std::size_t width, std::size_t height, CUstream)) \
  STREAM(cuMemsetD8, cuMemsetD8_v2, 3020,                                                          \
         (CUdeviceptr destination, unsigned char value, std::size_t count))                        \
  STREAM(cuMemsetD16, cuMemsetD16_v2, 3020,                                                        \
         (CUdeviceptr destination, unsigned short value, std::size_t count))                       \
  STREAM(cuMemsetD32, cuMemsetD32_v2, 3020,                                                        \
         (CUdeviceptr destination, unsigned value, std::size_t count))                             \
  STREAM(cuMemsetD8Async, cuMemsetD8Async, 3020,                                                   \
         (CUdeviceptr, unsigned char value, std::size_t count, CUstream stream))                   \
  STREAM(cuMemsetD16Async, cuMemsetD16Async, 3020,                                                 \
         (CUdeviceptr, unsigned short value, std::size_t count, CUstream stream))                  \
  STREAM(cuMemsetD32Async, cuMemsetD32Async, 3020,                                                 \
         (CUdeviceptr, unsigned value, std::size_t count, CUstream stream))                        \
  /* calls/stream/stream.cpp */                                                                    \
  PLAIN(cuStreamCreate, cuStreamCreate, 2000, (CUstream * stream, unsigned flags))                 \
  PLAIN(cuStreamCreateWithPriority, cuStreamCreateWithPriority, 5050,                              \
        (CUstream * stream, unsigned flags, int priority))                                         \
  PLAIN(cuStreamDestroy, cuStreamDestroy, 2000, (CUstream stream))                                 \
  PLAIN(cuStreamDestroy, cuStreamDestroy_v2, 4000, (CUstream stream))                              \
  STREAM(cuStreamSynchronize, cuStreamSynchronize, 2000, (CUstream stream))                        \
  STREAM(cuStreamQuery, cuStreamQuery, 2000, (CUstream stream))                                    \
  STREAM(cuStreamWaitEvent, cuStreamWaitEvent, 3020,                                               \
         (CUstream stream, CUevent event, unsigned flags))                                         \
  STREAM(cuStreamGetFlags, cuStreamGetFlags, 5050, (CUstream stream, unsigned* flags))             \
  STREAM(cuStreamGetCtx, cuStreamGetCtx, 9020, (CUstream stream, CUcontext * context))             \
  STREAM(cuStreamGetCtx, cuStreamGetCtx_v2, 12050,                                                 \
         (CUstream stream, CUcontext * context, CUgreenCtx * green))                               \
  STREAM(cuStreamGetPriority, cuStreamGetPriority, 5050, (CUstream stream, int* priority))         \
  STREAM(cuStreamGetId, cuStreamGetId, 12000, (CUstream stream, unsigned long long* id))           \
  STREAM(cuStreamGetDevice, cuStreamGetDevice, 12080, (CUstream stream, CUdevice * device))        \
  STREAM(cuLaunchHostFunc, cuLaunchHostFunc, 10000,                                                \
         (CUstream stream, CUhostFn function, void* user_data))                                    \
  STREAM(cuLaunchHostFunc, cuLaunchHostFunc_v2, 13010,                                             \
         (CUstream stream, CUhostFn function, void* user_data, unsigned mode))                     \
  STREAM(cuStreamAddCallback, cuStreamAddCallback, 5000,                                           \
         (CUstream stream, CUstreamCallback, void* user_data, unsigned flags))                     \
  /* calls/stream/capture.cpp, calls/graph */                                                      \
  STREAM(cuStreamBeginCapture, cuStreamBeginCapture, 10000, (CUstream stream))                     \
  STREAM(cuStreamBeginCapture, cuStreamBeginCapture_v2, 10010, (CUstream stream, int mode))        \
  STREAM(cuStreamEndCapture, cuStreamEndCapture, 10000, (CUstream stream, CUgraph * graph))        \
  STREAM(cuStreamIsCapturing, cuStreamIsCapturing, 10000, (CUstream stream, int* status))          \
  STREAM(cuStreamGetCaptureInfo, cuStreamGetCaptureInfo, 10010,                                    \
         (CUstream stream, int* status, std::uint64_t* id))                                        \
  STREAM(cuStreamGetCaptureInfo, cuStreamGetCaptureInfo_v2, 11030,                                 \
         (CUstream stream, int* status, std::uint64_t* id, CUgraph* graph,                         \
          const CUgraphNode** needs, std::size_t* count))                                          \
  STREAM(cuStreamGetCaptureInfo, cuStreamGetCaptureInfo_v3, 12030,                                 \
         (CUstream stream, int* status, std::uint64_t* id, CUgraph* graph,                         \
          const CUgraphNode** needs, const void** edges, std::size_t* count))                      \
  PLAIN(cuThreadExchangeStreamCaptureMode, cuThreadExchangeStreamCaptureMode, 10010, (int* mode))  \
  PLAIN(cuGraphCreate, cuGraphCreate, 10000, (CUgraph * graph, unsigned flags))                    \
  PLAIN(cuGraphClone, cuGraphClone, 10000, (CUgraph * clone, CUgraph graph))                       \
  PLAIN(cuGraphDestroy, cuGraphDestroy, 10000, (CUgraph graph))                                    \
  PLAIN(cuGraphGetNodes, cuGraphGetNodes, 10000,                                                   \
        (CUgraph graph, CUgraphNode * nodes, std::size_t * count))                                 \
  PLAIN(cuGraphInstantiate, cuGraphInstantiate, 10000,                                             \
        (CUgraphExec*, CUgraph, CUgraphNode * error, char* log, std::size_t size))                 \
  PLAIN(cuGraphInstantiate, cuGraphInstantiate_v2, 11000,                                          \
        (CUgraphExec*, CUgraph, CUgraphNode * error, char* log, std::size_t size))                 \
  PLAIN(cuGraphInstantiate, cuGraphInstantiateWithFlags, 12000,                                    \
        (CUgraphExec * executable, CUgraph, unsigned long long flags))                             \
  PLAIN(cuGraphInstantiateWithFlags, cuGraphInstantiateWithFlags, 11040,                           \
        (CUgraphExec * executable, CUgraph, unsigned long long flags))                             \
  STREAM(cuGraphInstantiateWithParams, cuGraphInstantiateWithParams, 12000,                        \
         (CUgraphExec*, CUgraph, CUDA_GRAPH_INSTANTIATE_PARAMS*))                                  \
  STREAM(cuGraphUpload, cuGraphUpload, 11010, (CUgraphExec executable, CUstream stream))           \
  STREAM(cuGraphLaunch, cuGraphLaunch, 10000, (CUgraphExec executable, CUstream stream))           \
  PLAIN(cuGraphExecDestroy, cuGraphExecDestroy, 10000, (CUgraphExec executable))                   \
  /* calls/graph/work_nodes.cpp */                                                                 \
  PLAIN(cuGraphAddKernelNode, cuGraphAddKernelNode, 10000,                                         \
        (CUgraphNode * node, CUgraph graph, const CUgraphNode* needs, std::size_t count,           \
         const void* parameters))                                                                  \
  PLAIN(cuGraphAddKernelNode, cuGraphAddKernelNode_v2, 12000,                                      \
        (CUgraphNode * node, CUgraph graph, const CUgraphNode* needs, std::size_t count,           \
         const CUDA_KERNEL_NODE_PARAMS* parameters))                                               \
  PLAIN(cuGraphKernelNodeGetParams, cuGraphKernelNodeGetParams, 10000,                             \
        (CUgraphNode node, void* parameters))                                                      \
  PLAIN(cuGraphKernelNodeGetParams, cuGraphKernelNodeGetParams_v2, 12000,                          \
        (CUgraphNode node, CUDA_KERNEL_NODE_PARAMS * parameters))                                  \
  PLAIN(cuGraphKernelNodeSetParams, cuGraphKernelNodeSetParams, 10000,                             \
        (CUgraphNode node, const void* parameters))                                                \
  PLAIN(cuGraphKernelNodeSetParams, cuGraphKernelNodeSetParams_v2, 12000,                          \
        (CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* parameters))                             \
  PLAIN(cuGraphExecKernelNodeSetParams, cuGraphExecKernelNodeSetParams, 10010,                     \
        (CUgraphExec executable, CUgraphNode node, const void* parameters))                        \
  PLAIN(cuGraphExecKernelNodeSetParams, cuGraphExecKernelNodeSetParams_v2, 12000,                  \
        (CUgraphExec executable, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS*))                \
  PLAIN(cuGraphKernelNodeSetAttribute, cuGraphKernelNodeSetAttribute, 11000,                       \
        (CUgraphNode node, int attribute, const void* value))                                      \
  PLAIN(cuGraphKernelNodeGetAttribute, cuGraphKernelNodeGetAttribute, 11000,                       \
        (CUgraphNode node, int attribute, void* value))                                            \
  PLAIN(cuGraphKernelNodeCopyAttributes, cuGraphKernelNodeCopyAttributes, 11000,                   \
        (CUgraphNode destination, CUgraphNode source))                                             \
  PLAIN(cuGraphAddMemcpyNode, cuGraphAddMemcpyNode, 10000,                                         \
        (CUgraphNode * node, CUgraph graph, const CUgraphNode* needs, std::size_t count,           \
         const CUDA_MEMCPY3D* plan, CUcontext context))                                            \
  PLAIN(cuGraphMemcpyNodeGetParams, cuGraphMemcpyNodeGetParams, 10000,                             \
        (CUgraphNode node, CUDA_MEMCPY3D * plan))                                                  \
  PLAIN(cuGraphMemcpyNodeSetParams, cuGraphMemcpyNodeSetParams, 10000,                             \
        (CUgraphNode node, const CUDA_MEMCPY3D* plan))                                             \
  PLAIN(cuGraphExecMemcpyNodeSetParams, cuGraphExecMemcpyNodeSetParams, 10020,                     \
        (CUgraphExec executable, CUgraphNode node, const CUDA_MEMCPY3D* plan, CUcontext))          \
  PLAIN(cuGraphAddMemsetNode, cuGraphAddMemsetNode, 10000,                                         \
        (CUgraphNode * node, CUgraph graph, const CUgraphNode* needs, std::size_t count,           \
         const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext context))                            \
  PLAIN(cuGraphMemsetNodeGetParams, cuGraphMemsetNodeGetParams, 10000,                             \
        (CUgraphNode node, CUDA_MEMSET_NODE_PARAMS * parameters))                                  \
  PLAIN(cuGraphMemsetNodeSetParams, cuGraphMemsetNodeSetParams, 10000,                             \
        (CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters))                             \
  PLAIN(cuGraphExecMemsetNodeSetParams, cuGraphExecMemsetNodeSetParams, 10020,                     \
        (CUgraphExec executable, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS*, CUcontext))     \
  PLAIN(cuGraphAddHostNode, cuGraphAddHostNode, 10000,                                             \
        (CUgraphNode * node, CUgraph graph, const CUgraphNode* needs, std::size_t count,           \
         const CUDA_HOST_NODE_PARAMS* parameters))                                                 \
  PLAIN(cuGraphHostNodeGetParams, cuGraphHostNodeGetParams, 10000,                                 \
        (CUgraphNode node, CUDA_HOST_NODE_PARAMS * parameters))                                    \
  PLAIN(cuGraphHostNodeSetParams, cuGraphHostNodeSetParams, 10000,                                 \
        (CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters))                               \
  PLAIN(cuGraphExecHostNodeSetParams, cuGraphExecHostNodeSetParams, 10020,                         \
        (CUgraphExec executable, CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters))       \
  /* calls/graph/other_nodes.cpp */                                                                \
  PLAIN(cuGraphAddEmptyNode, cuGraphAddEmptyNode, 10000,                                           \
        (CUgraphNode * node, CUgraph graph, const CUgraphNode* needs, std::size_t count))          \
  PLAIN(cuGraphAddChildGraphNode, cuGraphAddChildGraphNode, 10000,                                 \
        (CUgraphNode * node, CUgraph graph, const CUgraphNode* needs, std::size_t count,           \
         CUgraph child))                                                                           \
  PLAIN(cuGraphChildGraphNodeGetGraph, cuGraphChildGraphNodeGetGraph, 10000,                       \
        (CUgraphNode node, CUgraph * graph))                                                       \
  PLAIN(cuGraphExecChildGraphNodeSetParams, cuGraphExecChildGraphNodeSetParams, 11010,             \
        (CUgraphExec executable, CUgraphNode node, CUgraph child))                                 \
  PLAIN(cuGraphAddEventRecordNode, cuGraphAddEventRecordNode, 11010,                               \
        (CUgraphNode * node, CUgraph graph, const CUgraphNode* needs, std::size_t count,           \
         CUevent event))                                                                           \
  PLAIN(cuGraphEventRecordNodeGetEvent, cuGraphEventRecordNodeGetEvent, 11010,                     \
        (CUgraphNode node, CUevent * event))                                                       \
  PLAIN(cuGraphEventRecordNodeSetEvent, cuGraphEventRecordNodeSetEvent, 11010,                     \
        (CUgraphNode node, CUevent event))                                                         \
  PLAIN(cuGraphExecEventRecordNodeSetEvent, cuGraphExecEventRecordNodeSetEvent, 11010,             \
        (CUgraphExec executable, CUgraphNode node, CUevent event))                                 \
  PLAIN(cuGraphAddEventWaitNode, cuGraphAddEventWaitNode, 11010,                                   \
        (CUgraphNode * node, CUgraph graph, const CUgraphNode* needs, std::size_t count,           \
         CUevent event))                                                                           \
  PLAIN(cuGraphEventWaitNodeGetEvent, cuGraphEventWaitNodeGetEvent, 11010,                         \
        (CUgraphNode node, CUevent * event))                                                       \
  PLAIN(cuGraphEventWaitNodeSetEvent, cuGraphEventWaitNodeSetEvent, 11010,                         \
        (CUgraphNode node, CUevent event))                                                         \
  PLAIN(cuGraphExecEventWaitNodeSetEvent, cuGraphExecEventWaitNodeSetEvent, 11010,                 \
        (CUgraphExec executable, CUgraphNode node, CUevent event))                                 \
  PLAIN(cuGraphAddMemAllocNode, cuGraphAddMemAllocNode, 11040,                                     \
        (CUgraphNode * node, CUgraph graph, const CUgraphNode* needs, std::size_t count,           \
         CUDA_MEM_ALLOC_NODE_PARAMS* parameters))                                                  \
  PLAIN(cuGraphMemAllocNodeGetParams, cuGraphMemAllocNodeGetParams, 11040,                         \
        (CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS * parameters))                               \
  PLAIN(cuGraphAddMemFreeNode, cuGraphAddMemFreeNode, 11040,                                       \
        (CUgraphNode * node, CUgraph graph, const CUgraphNode* needs, std::size_t count,           \
         CUdeviceptr pointer))                                                                     \
  PLAIN(cuGraphMemFreeNodeGetParams, cuGraphMemFreeNodeGetParams, 11040,                           \
        (CUgraphNode node, CUdeviceptr * pointer))                                                 \
  /* calls/graph/memory.cpp */                                                                     \
  PLAIN(cuDeviceGetGraphMemAttribute, cuDeviceGetGraphMemAttribute, 11040,                         \
        (CUdevice device, int attribute, void* value))                                             \
  PLAIN(cuDeviceSetGraphMemAttribute, cuDeviceSetGraphMemAttribute, 11040,                         \
        (CUdevice device, int attribute, void* value))                                             \
  PLAIN(cuDeviceGraphMemTrim, cuDeviceGraphMemTrim, 11040, (CUdevice device))                      \
  /* calls/graph/other_nodes.cpp */                                                                \
  PLAIN(cuGraphAddNode, cuGraphAddNode, 12020,                                                     \
        (CUgraphNode * node, CUgraph graph, const CUgraphNode* needs, std::size_t count,           \
         CUgraphNodeParams* parameters))                                                           \
  PLAIN(cuGraphAddNode, cuGraphAddNode_v2, 12030,                                                  \
        (CUgraphNode * node, CUgraph graph, const CUgraphNode* needs,                              \
         const CUgraphEdgeData* edges, std::size_t count, CUgraphNodeParams* parameters))          \
  PLAIN(cuGraphAddNode, cuGraphAddNode_v3, 13040,                                                  \
        (CUgraphNode * node, CUgraph graph, const CUgraphNode* needs,                              \
         const CUgraphEdgeData* edges, std::size_t count, CUgraphNodeParams* parameters))          \
  PLAIN(cuGraphNodeGetParams, cuGraphNodeGetParams, 13020,                                         \
        (CUgraphNode node, CUgraphNodeParams * parameters))                                        \
  PLAIN(cuGraphNodeSetParams, cuGraphNodeSetParams, 12020,                                         \
        (CUgraphNode node, CUgraphNodeParams * parameters))                                        \
  PLAIN(cuGraphNodeSetParams, cuGraphNodeSetParams_v2, 13040,                                      \
        (CUgraphNode node, CUgraphNodeParams * parameters))                                        \
  PLAIN(cuGraphExecNodeSetParams, cuGraphExecNodeSetParams, 12020,                                 \
        (CUgraphExec executable, CUgraphNode node, CUgraphNodeParams * parameters))                \
  /* calls/graph/edges.cpp */                                                                      \
  PLAIN(cuGraphGetRootNodes, cuGraphGetRootNodes, 10000,                                           \
        (CUgraph graph, CUgraphNode * nodes, std::size_t * count))                                 \
  PLAIN(cuGraphGetEdges, cuGraphGetEdges, 10000,                                                   \
        (CUgraph graph, CUgraphNode * from, CUgraphNode * to, std::size_t * count))                \
  PLAIN(cuGraphGetEdges, cuGraphGetEdges_v2, 12030,                                                \
        (CUgraph graph, CUgraphNode * from, CUgraphNode * to, CUgraphEdgeData * data,              \
         std::size_t * count))                                                                     \
  PLAIN(cuGraphNodeGetDependencies, cuGraphNodeGetDependencies, 10000,                             \
        (CUgraphNode node, CUgraphNode * nodes, std::size_t * count))                              \
  PLAIN(cuGraphNodeGetDependencies, cuGraphNodeGetDependencies_v2, 12030,                          \
        (CUgraphNode node, CUgraphNode * nodes, CUgraphEdgeData * data, std::size_t * count))      \
  PLAIN(cuGraphNodeGetDependentNodes, cuGraphNodeGetDependentNodes, 10000,                         \
        (CUgraphNode node, CUgraphNode * nodes, std::size_t * count))                              \
  PLAIN(cuGraphNodeGetDependentNodes, cuGraphNodeGetDependentNodes_v2, 12030,                      \
        (CUgraphNode node, CUgraphNode * nodes, CUgraphEdgeData * data, std::size_t * count))      \
  PLAIN(cuGraphAddDependencies, cuGraphAddDependencies, 10000,                                     \
        (CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, std::size_t count))        \
  PLAIN(cuGraphAddDependencies, cuGraphAddDependencies_v2, 12030,                                  \
        (CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,                            \
         const CUgraphEdgeData* data, std::size_t count))                                          \
  PLAIN(cuGraphRemoveDependencies, cuGraphRemoveDependencies, 10000,                               \
        (CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, std::size_t count))        \
  PLAIN(cuGraphRemoveDependencies, cuGraphRemoveDependencies_v2, 12030,                            \
        (CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,                            \
         const CUgraphEdgeData* data, std::size_t count))                                          \
  PLAIN(cuGraphDestroyNode, cuGraphDestroyNode, 10000, (CUgraphNode node))                         \
  PLAIN(cuGraphNodeFindInClone, cuGraphNodeFindInClone, 10000,                                     \
        (CUgraphNode * clone, CUgraphNode original, CUgraph graph))                                \
  PLAIN(cuGraphNodeGetType, cuGraphNodeGetType, 10000, (CUgraphNode node, int* type))              \
  PLAIN(cuGraphNodeGetContainingGraph, cuGraphNodeGetContainingGraph, 13010,                       \
        (CUgraphNode node, CUgraph * graph))                                                       \
  PLAIN(cuGraphNodeGetLocalId, cuGraphNodeGetLocalId, 13010, (CUgraphNode node, unsigned* number)) \
  PLAIN(cuGraphNodeGetToolsId, cuGraphNodeGetToolsId, 13010,                                       \
        (CUgraphNode node, unsigned long long* number))                                            \
  PLAIN(cuGraphGetId, cuGraphGetId, 13010, (CUgraph graph, unsigned* id))                          \
  PLAIN(cuGraphDebugDotPrint, cuGraphDebugDotPrint, 11030,                                         \
        (CUgraph graph, const char* path, unsigned flags))                                         \
  /* calls/graph/executable.cpp */                                                                 \
  PLAIN(cuGraphExecGetFlags, cuGraphExecGetFlags, 12000,                                           \
        (CUgraphExec executable, unsigned long long* flags))                                       \
  PLAIN(cuGraphExecGetId, cuGraphExecGetId, 13010, (CUgraphExec executable, unsigned* id))         \
  PLAIN(cuGraphExecUpdate, cuGraphExecUpdate, 10020,                                               \
        (CUgraphExec executable, CUgraph graph, CUgraphNode * error, int* result))                 \
  PLAIN(cuGraphExecUpdate, cuGraphExecUpdate_v2, 12000,                                            \
        (CUgraphExec executable, CUgraph graph, CUgraphExecUpdateResultInfo * result))             \
  PLAIN(cuGraphNodeSetEnabled, cuGraphNodeSetEnabled, 11060,                                       \
        (CUgraphExec executable, CUgraphNode node, unsigned is_enabled))                           \
  PLAIN(cuGraphNodeGetEnabled, cuGraphNodeGetEnabled, 11060,                                       \
        (CUgraphExec executable, CUgraphNode node, unsigned* is_enabled))                          \
  /* calls/graph/user_object.cpp */                                                                \
  PLAIN(cuUserObjectCreate, cuUserObjectCreate, 11030,                                             \
        (CUuserObject * handle, void* object, CUhostFn end, unsigned count, unsigned flags))       \
  PLAIN(cuUserObjectRetain, cuUserObjectRetain, 11030, (CUuserObject handle, unsigned count))      \
  PLAIN(cuUserObjectRelease, cuUserObjectRelease, 11030, (CUuserObject handle, unsigned count))    \
  PLAIN(cuGraphRetainUserObject, cuGraphRetainUserObject, 11030,                                   \
        (CUgraph graph, CUuserObject handle, unsigned count, unsigned flags))                      \
  PLAIN(cuGraphReleaseUserObject, cuGraphReleaseUserObject, 11030,                                 \
        (CUgraph graph, CUuserObject handle, unsigned count))                                      \
  /* calls/stream/capture.cpp */                                                                   \
  STREAM(cuStreamBeginCaptureToGraph, cuStreamBeginCaptureToGraph, 12030,                          \
         (CUstream stream, CUgraph graph, const CUgraphNode* needs, const CUgraphEdgeData* edges,  \
          std::size_t count, int mode))                                                            \
  STREAM(cuStreamUpdateCaptureDependencies, cuStreamUpdateCaptureDependencies, 11030,              \
         (CUstream stream, const CUgraphNode* needs, std::size_t count, unsigned flags))           \
  STREAM(cuStreamUpdateCaptureDependencies, cuStreamUpdateCaptureDependencies_v2, 12030,           \
         (CUstream stream, const CUgraphNode* needs, const CUgraphEdgeData* edges,                 \
          std::size_t count, unsigned flags))                                                      \
  /* calls/stream/stream.cpp */                                                                    \
  STREAM(cuStreamGetAttribute, cuStreamGetAttribute, 11000,                                        \
         (CUstream stream, int attribute, void* value))                                            \
  STREAM(cuStreamSetAttribute, cuStreamSetAttribute, 11000,                                        \
         (CUstream stream, int attribute, const void* value))                                      \
  STREAM(cuStreamCopyAttributes, cuStreamCopyAttributes, 11000,                                    \
         (CUstream destination, CUstream source))                                                  \
  /* calls/context/device.cpp */                                                                   \
  PLAIN(cuDeviceGetProperties, cuDeviceGetProperties, 2000,                                        \
        (CUdevprop * properties, CUdevice device))                                                 \
  PLAIN(cuDeviceGetExecAffinitySupport, cuDeviceGetExecAffinitySupport, 11040,                     \
        (int* supported, int type, CUdevice device))                                               \
  PLAIN(cuDeviceGetHostAtomicCapabilities, cuDeviceGetHostAtomicCapabilities, 13000,               \
        (unsigned* capabilities, const int* operations, unsigned count, CUdevice device))          \
  PLAIN(cuDeviceGetP2PAtomicCapabilities, cuDeviceGetP2PAtomicCapabilities, 13000,                 \
        (unsigned* capabilities, const int* operations, unsigned count, CUdevice source,           \
         CUdevice destination))                                                                    \
  /* calls/context/context.cpp */                                                                  \
  PLAIN(cuCtxGetExecAffinity, cuCtxGetExecAffinity, 11040, (void* affinity, int type))             \
  PLAIN(cuCtxRecordEvent, cuCtxRecordEvent, 12050, (CUcontext context, CUevent event))             \
  PLAIN(cuCtxWaitEvent, cuCtxWaitEvent, 12050, (CUcontext context, CUevent event))                 \
  /* calls/module */                                                                               \
  PLAIN(cuModuleEnumerateFunctions, cuModuleEnumerateFunctions, 12040,                             \
        (CUfunction * functions, unsigned count, CUmodule module))                                 \
  PLAIN(cuFuncGetParamCount, cuFuncGetParamCount, 13020,                                           \
        (CUfunction function, std::size_t * count))                                                \
  PLAIN(cuKernelGetParamCount, cuKernelGetParamCount, 13020,                                       \
        (CUkernel kernel, std::size_t * count))                                                    \
  PLAIN(cuLibraryGetManaged, cuLibraryGetManaged, 12000,                                           \
        (CUdeviceptr * pointer, std::size_t * size, CUlibrary library, const char* name))          \
  PLAIN(cuLibraryGetUnifiedFunction, cuLibraryGetUnifiedFunction, 12000,                           \
        (void** function, CUlibrary library, const char* name))                                    \
  PLAIN(cuOccupancyMaxPotentialClusterSize, cuOccupancyMaxPotentialClusterSize, 11070,             \
        (int* size, CUfunction function, const CUlaunchConfig* config))                            \
  PLAIN(cuOccupancyMaxActiveClusters, cuOccupancyMaxActiveClusters, 11070,                         \
        (int* count, CUfunction function, const CUlaunchConfig* config))                           \
  /* calls/module/first_launch.cpp */                                                              \
  PLAIN(cuFuncSetSharedSize, cuFuncSetSharedSize, 2000, (CUfunction function, unsigned size))      \
  PLAIN(cuParamSetSize, cuParamSetSize, 2000, (CUfunction function, unsigned size))                \
  PLAIN(cuParamSeti, cuParamSeti, 2000, (CUfunction function, int offset, unsigned value))         \
  PLAIN(cuParamSetf, cuParamSetf, 2000, (CUfunction function, int offset, float value))            \
  PLAIN(cuParamSetv, cuParamSetv, 2000,                                                            \
        (CUfunction function, int offset, void* value, unsigned size))                             \
  PLAIN(cuLaunch, cuLaunch, 2000, (CUfunction function))                                           \
  PLAIN(cuLaunchGrid, cuLaunchGrid, 2000, (CUfunction function, int width, int height))            \
  PLAIN(cuLaunchGridAsync, cuLaunchGridAsync, 2000,                                                \
        (CUfunction function, int width, int height, CUstream stream))                             \
  /* calls/memory/managed.cpp */                                                                   \
  PLAIN(cuMemRangeGetAttribute, cuMemRangeGetAttribute, 8000,                                      \
        (void* data, std::size_t size, int attribute, CUdeviceptr pointer, std::size_t count))     \
  PLAIN(cuMemRangeGetAttributes, cuMemRangeGetAttributes, 8000,                                    \
        (void** data, std::size_t* sizes, int* attributes, std::size_t attribute_count,            \
         CUdeviceptr pointer, std::size_t count))                                                  \
  STREAM(                                                                                          \
      cuMemPrefetchBatchAsync, cuMemPrefetchBatchAsync, 13000,                                     \
      (CUdeviceptr * pointers, std::size_t * sizes, std::size_t count, CUmemLocation * places,     \
       std::size_t * indices, std::size_t place_count, unsigned long long flags, CUstream stream)) \
  STREAM(                                                                                          \
      cuMemDiscardAndPrefetchBatchAsync, cuMemDiscardAndPrefetchBatchAsync, 13000,                 \
      (CUdeviceptr * pointers, std::size_t * sizes, std::size_t count, CUmemLocation * places,     \
       std::size_t * indices, std::size_t place_count, unsigned long long flags, CUstream stream)) \
  STREAM(cuMemDiscardBatchAsync, cuMemDiscardBatchAsync, 13000,                                    \
         (CUdeviceptr * pointers, std::size_t * sizes, std::size_t count,                          \
          unsigned long long flags, CUstream stream))                                              \
  /* calls/memory/batch.cpp */                                                                     \
  STREAM(cuMemcpyBatchAsync, cuMemcpyBatchAsync, 12080,                                            \
         (CUdeviceptr * to, CUdeviceptr * from, std::size_t * sizes, std::size_t count,            \
          CUmemcpyAttributes * attributes, std::size_t * indices, std::size_t attribute_count,     \
          std::size_t * failed, CUstream stream))                                                  \
  STREAM(cuMemcpyBatchAsync, cuMemcpyBatchAsync_v2, 13000,                                         \
         (CUdeviceptr * to, CUdeviceptr * from, std::size_t * sizes, std::size_t count,            \
          CUmemcpyAttributes * attributes, std::size_t * indices, std::size_t attribute_count,     \
          CUstream stream))                                                                        \
  STREAM(cuMemcpyWithAttributesAsync, cuMemcpyWithAttributesAsync, 13020,                          \
         (CUdeviceptr to, CUdeviceptr from, std::size_t size, CUmemcpyAttributes * attributes,     \
          CUstream stream))                                                                        \
  STREAM(cuMemcpy3DBatchAsync, cuMemcpy3DBatchAsync, 12080,                                        \
         (std::size_t count, CUDA_MEMCPY3D_BATCH_OP * operations, std::size_t * failed,            \
          unsigned long long flags, CUstream stream))                                              \
  STREAM(cuMemcpy3DBatchAsync, cuMemcpy3DBatchAsync_v2, 13000,                                     \
         (std::size_t count, CUDA_MEMCPY3D_BATCH_OP * operations, unsigned long long flags,        \
          CUstream stream))                                                                        \
  STREAM(cuMemcpy3DWithAttributesAsync, cuMemcpy3DWithAttributesAsync, 13020,                      \
         (CUDA_MEMCPY3D_BATCH_OP * operation, unsigned long long flags, CUstream stream))          \
  STREAM(cuMemcpy3DPeer, cuMemcpy3DPeer, 4000, (const CUDA_MEMCPY3D_PEER* plan))                   \
  STREAM(cuMemcpy3DPeerAsync, cuMemcpy3DPeerAsync, 4000,                                           \
         (const CUDA_MEMCPY3D_PEER* plan, CUstream stream))                                        \
  /* calls/logs.cpp */                                                                             \
  PLAIN(cuLogsRegisterCallback, cuLogsRegisterCallback, 12090,                                     \
        (CUlogsCallback function, void* user_data, CUlogsCallbackHandle* handle))                  \
  PLAIN(cuLogsUnregisterCallback, cuLogsUnregisterCallback, 12090, (CUlogsCallbackHandle handle))  \
  PLAIN(cuLogsCurrent, cuLogsCurrent, 12090, (unsigned* iterator, unsigned flags))                 \
  PLAIN(cuLogsDumpToFile, cuLogsDumpToFile, 12090,                                                 \
        (unsigned* iterator, const char* path, unsigned flags))                                    \
  PLAIN(cuLogsDumpToMemory, cuLogsDumpToMemory, 12090,                                             \
        (unsigned* iterator, char* buffer, std::size_t* size, unsigned flags))                     \
  /* calls/context/notification.cpp */                                                             \
  PLAIN(cuDeviceRegisterAsyncNotification, cuDeviceRegisterAsyncNotification, 12040,               \
        (CUdevice, CUasyncCallback, void* user_data, CUasyncCallbackHandle*))                      \
  PLAIN(cuDeviceUnregisterAsyncNotification, cuDeviceUnregisterAsyncNotification, 12040,           \
        (CUdevice device, CUasyncCallbackHandle handle))                                           \
  /* calls/stream/memory_operations.cpp */                                                         \
  STREAM(cuStreamWaitValue32, cuStreamWaitValue32, 8000,                                           \
         (CUstream stream, CUdeviceptr address, unsigned value, unsigned flags))                   \
  STREAM(cuStreamWaitValue32, cuStreamWaitValue32_v2, 11070,                                       \
         (CUstream stream, CUdeviceptr address, unsigned value, unsigned flags))                   \
  STREAM(cuStreamWaitValue64, cuStreamWaitValue64, 9000,                                           \
         (CUstream stream, CUdeviceptr address, std::uint64_t value, unsigned flags))              \
  STREAM(cuStreamWaitValue64, cuStreamWaitValue64_v2, 11070,                                       \
         (CUstream stream, CUdeviceptr address, std::uint64_t value, unsigned flags))              \
  STREAM(cuStreamWriteValue32, cuStreamWriteValue32, 8000,                                         \
         (CUstream stream, CUdeviceptr address, unsigned value, unsigned flags))                   \
  STREAM(cuStreamWriteValue32, cuStreamWriteValue32_v2, 11070,                                     \
         (CUstream stream, CUdeviceptr address, unsigned value, unsigned flags))                   \
  STREAM(cuStreamWriteValue64, cuStreamWriteValue64, 9000,                                         \
         (CUstream stream, CUdeviceptr address, std::uint64_t value, unsigned flags))              \
  STREAM(cuStreamWriteValue64, cuStreamWriteValue64_v2, 11070,                                     \
         (CUstream stream, CUdeviceptr address, std::uint64_t value, unsigned flags))              \
  STREAM(cuStreamBatchMemOp, cuStreamBatchMemOp, 8000,                                             \
         (CUstream, unsigned count, CUstreamBatchMemOpParams* operations, unsigned flags))         \
  STREAM(cuStreamBatchMemOp, cuStreamBatchMemOp_v2, 11070,                                         \
         (CUstream, unsigned count, CUstreamBatchMemOpParams* operations, unsigned flags))         \
  PLAIN(cuGraphAddBatchMemOpNode, cuGraphAddBatchMemOpNode, 11070,                                 \
        (CUgraphNode * node, CUgraph graph, const CUgraphNode* needs, std::size_t count,           \
         const CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters))                                         \
  PLAIN(cuGraphBatchMemOpNodeGetParams, cuGraphBatchMemOpNodeGetParams, 11070,                     \
        (CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS * parameters))                            \
  PLAIN(cuGraphBatchMemOpNodeSetParams, cuGraphBatchMemOpNodeSetParams, 11070,                     \
        (CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters))                       \
  PLAIN(                                                                                           \
      cuGraphExecBatchMemOpNodeSetParams, cuGraphExecBatchMemOpNodeSetParams, 11070,               \
      (CUgraphExec executable, CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters)) \
  /* calls/stream/event.cpp */                                                                     \
  PLAIN(cuEventCreate, cuEventCreate, 2000, (CUevent * event, unsigned flags))                     \
  STREAM(cuEventRecord, cuEventRecord, 2000, (CUevent event, CUstream stream))                     \
  STREAM(cuEventRecordWithFlags, cuEventRecordWithFlags, 11010,                                    \
         (CUevent event, CUstream stream, unsigned flags))                                         \
  PLAIN(cuEventQuery, cuEventQuery, 2000, (CUevent event))                                         \
  PLAIN(cuEventSynchronize, cuEventSynchronize, 2000, (CUevent event))                             \
  PLAIN(cuEventDestroy, cuEventDestroy, 2000, (CUevent event))                                     \
  PLAIN(cuEventDestroy, cuEventDestroy_v2, 4000, (CUevent event))                                  \
  PLAIN(cuEventElapsedTime, cuEventElapsedTime, 2000,                                              \
        (float* milliseconds, CUevent start, CUevent end))                                         \
  PLAIN(cuEventElapsedTime, cuEventElapsedTime_v2, 12080,                                          \
        (float* milliseconds, CUevent start, CUevent end))                                         \
  /* calls/module/module.cpp */                                                                    \
  PLAIN(cuModuleLoad, cuModuleLoad, 2000, (CUmodule * module, const char* path))                   \
  PLAIN(cuModuleLoadFatBinary, cuModuleLoadFatBinary, 2000,                                        \
        (CUmodule * module, const void* image))                                                    \
  PLAIN(cuModuleGetGlobal, cuModuleGetGlobal_v2, 3020,                                             \
        (CUdeviceptr*, std::size_t * size, CUmodule module, const char* name))                     \
  PLAIN(cuModuleGetLoadingMode, cuModuleGetLoadingMode, 11070, (int* mode))                        \
  PLAIN(cuModuleGetFunctionCount, cuModuleGetFunctionCount, 12040,                                 \
        (unsigned* count, CUmodule module))                                                        \
  PLAIN(cuModuleLoadData, cuModuleLoadData, 2000, (CUmodule * module, const void* image))          \
  PLAIN(cuModuleLoadDataEx, cuModuleLoadDataEx, 2010,                                              \
        (CUmodule * module, const void* image, unsigned count, int* options, void** values))       \
  PLAIN(cuModuleGetFunction, cuModuleGetFunction, 2000,                                            \
        (CUfunction * function, CUmodule module, const char* name))                                \
  PLAIN(cuModuleUnload, cuModuleUnload, 2000, (CUmodule module))                                   \
  /* calls/module/launch.cpp */                                                                    \
  STREAM(                                                                                          \
      cuLaunchCooperativeKernel, cuLaunchCooperativeKernel, 9000,                                  \
      (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,   \
       unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void** parameters))   \
  STREAM(cuLaunchKernelEx, cuLaunchKernelEx, 11060,                                                \
         (const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra))     \
  STREAM(cuLaunchKernel, cuLaunchKernel, 4000,                                                     \
         (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,                  \
          unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, CUstream stream,  \
          void** parameters, void** extra))                                                        \
  /* calls/module/function.cpp */                                                                  \
  PLAIN(cuFuncGetAttribute, cuFuncGetAttribute, 2020,                                              \
        (int* value, int attribute, CUfunction function))                                          \
  PLAIN(cuFuncSetAttribute, cuFuncSetAttribute, 9000,                                              \
        (CUfunction function, int attribute, int value))                                           \
  PLAIN(cuFuncSetBlockShape, cuFuncSetBlockShape, 2000,                                            \
        (CUfunction function, int x, int y, int z))                                                \
  PLAIN(cuFuncSetCacheConfig, cuFuncSetCacheConfig, 3000, (CUfunction function, int config))       \
  PLAIN(cuFuncSetSharedMemConfig, cuFuncSetSharedMemConfig, 4020,                                  \
        (CUfunction function, int config))                                                         \
  PLAIN(cuFuncGetModule, cuFuncGetModule, 11000, (CUmodule * module, CUfunction function))         \
  PLAIN(cuFuncGetName, cuFuncGetName, 12030, (const char** name, CUfunction function))             \
  PLAIN(cuFuncGetParamInfo, cuFuncGetParamInfo, 12040,                                             \
        (CUfunction, std::size_t index, std::size_t * offset, std::size_t * size))                 \
  PLAIN(cuFuncIsLoaded, cuFuncIsLoaded, 12040, (int* state, CUfunction function))                  \
  PLAIN(cuFuncLoad, cuFuncLoad, 12040, (CUfunction function))                                      \
  PLAIN(cuOccupancyMaxActiveBlocksPerMultiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor,  \
        6050, (int* blocks, CUfunction, int block, std::size_t dynamic_shared))                    \
  PLAIN(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,                                      \
        cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, 7000,                                \
        (int* blocks, CUfunction, int block, std::size_t dynamic_shared, unsigned flags))          \
  PLAIN(cuOccupancyMaxPotentialBlockSize, cuOccupancyMaxPotentialBlockSize, 6050,                  \
        (int* grid, int* block, CUfunction, CUoccupancyB2DSize, std::size_t dynamic_shared,        \
         int limit))                                                                               \
  PLAIN(cuOccupancyMaxPotentialBlockSizeWithFlags, cuOccupancyMaxPotentialBlockSizeWithFlags,      \
        7000,                                                                                      \
        (int* grid, int* block, CUfunction, CUoccupancyB2DSize, std::size_t dynamic_shared,        \
         int limit, unsigned flags))                                                               \
  PLAIN(cuOccupancyAvailableDynamicSMemPerBlock, cuOccupancyAvailableDynamicSMemPerBlock, 10020,   \
        (std::size_t*, CUfunction, int blocks, int block))                                         \
  /* calls/module/library.cpp */                                                                   \
  PLAIN(cuLibraryLoadData, cuLibraryLoadData, 12000,                                               \
        (CUlibrary*, const void* code, int* options, void** values, unsigned count,                \
         int* library_options, void** library_values, unsigned library_count))                     \
  PLAIN(cuLibraryLoadFromFile, cuLibraryLoadFromFile, 12000,                                       \
        (CUlibrary*, const char* path, int* options, void** values, unsigned count,                \
         int* library_options, void** library_values, unsigned library_count))                     \
  PLAIN(cuLibraryUnload, cuLibraryUnload, 12000, (CUlibrary library))                              \
  PLAIN(cuLibraryGetKernel, cuLibraryGetKernel, 12000,                                             \
        (CUkernel * kernel, CUlibrary library, const char* name))                                  \
  PLAIN(cuLibraryGetKernelCount, cuLibraryGetKernelCount, 12040,                                   \
        (unsigned* count, CUlibrary library))                                                      \
  PLAIN(cuLibraryEnumerateKernels, cuLibraryEnumerateKernels, 12040,                               \
        (CUkernel * kernels, unsigned count, CUlibrary library))                                   \
  PLAIN(cuLibraryGetModule, cuLibraryGetModule, 12000, (CUmodule * module, CUlibrary library))     \
  PLAIN(cuLibraryGetGlobal, cuLibraryGetGlobal, 12000,                                             \
        (CUdeviceptr*, std::size_t * size, CUlibrary library, const char* name))                   \
  PLAIN(cuKernelGetFunction, cuKernelGetFunction, 12000, (CUfunction * function, CUkernel kernel)) \
  PLAIN(cuKernelGetLibrary, cuKernelGetLibrary, 12050, (CUlibrary * library, CUkernel kernel))     \
  PLAIN(cuKernelGetName, cuKernelGetName, 12030, (const char** name, CUkernel kernel))             \
  PLAIN(cuKernelGetAttribute, cuKernelGetAttribute, 12000,                                         \
        (int* value, int attribute, CUkernel kernel, CUdevice device))                             \
  PLAIN(cuKernelSetAttribute, cuKernelSetAttribute, 12000,                                         \
        (int attribute, int value, CUkernel kernel, CUdevice device))                              \
  PLAIN(cuKernelSetCacheConfig, cuKernelSetCacheConfig, 12000,                                     \
        (CUkernel kernel, int config, CUdevice device))                                            \
  PLAIN(cuKernelGetParamInfo, cuKernelGetParamInfo, 12040,                                         \
        (CUkernel, std::size_t index, std::size_t * offset, std::size_t * size))                   \
  /* calls/module/link.cpp */                                                                      \
  PLAIN(cuLinkCreate, cuLinkCreate, 5050,                                                          \
        (unsigned count, int* options, void** values, CUlinkState* state))                         \
  PLAIN(cuLinkAddData, cuLinkAddData, 5050,                                                        \
        (CUlinkState, int type, void* data, std::size_t size, const char* name, unsigned count,    \
         int* options, void** values))                                                             \
  PLAIN(cuLinkAddFile, cuLinkAddFile, 5050,                                                        \
        (CUlinkState, int type, const char* path, unsigned count, int* options, void** values))    \
  PLAIN(cuLinkCreate, cuLinkCreate_v2, 6050,                                                       \
        (unsigned count, int* options, void** values, CUlinkState* state))                         \
  PLAIN(cuLinkAddData, cuLinkAddData_v2, 6050,                                                     \
        (CUlinkState, int type, void* data, std::size_t size, const char* name, unsigned count,    \
         int* options, void** values))                                                             \
  PLAIN(cuLinkAddFile, cuLinkAddFile_v2, 6050,                                                     \
        (CUlinkState, int type, const char* path, unsigned count, int* options, void** values))    \
  PLAIN(cuLinkComplete, cuLinkComplete, 5050,                                                      \
        (CUlinkState state, void** image, std::size_t* size))                                      \
  PLAIN(cuLinkDestroy, cuLinkDestroy, 5050, (CUlinkState state))                                   \
  /* calls/memory/managed.cpp */                                                                   \
  STREAM(cuMemPrefetchAsync, cuMemPrefetchAsync, 8000,                                             \
         (CUdeviceptr pointer, std::size_t size, CUdevice, CUstream stream))                       \
  STREAM(cuMemPrefetchAsync, cuMemPrefetchAsync_v2, 12020,                                         \
         (CUdeviceptr, std::size_t, CUmemLocation, unsigned flags, CUstream))                      \
  PLAIN(cuMemAdvise, cuMemAdvise, 8000,                                                            \
        (CUdeviceptr pointer, std::size_t size, int advice, CUdevice device))                      \
  PLAIN(cuMemAdvise, cuMemAdvise_v2, 12020,                                                        \
        (CUdeviceptr pointer, std::size_t size, int advice, CUmemLocation))                        \
  STREAM(cuStreamAttachMemAsync, cuStreamAttachMemAsync, 6000,                                     \
         (CUstream, CUdeviceptr, std::size_t length, unsigned flags))                              \
  /* calls/error.cpp */                                                                            \
  PLAIN(cuGetErrorName, cuGetErrorName, 6000, (CUresult error, const char** name))                 \
  PLAIN(cuGetErrorString, cuGetErrorString, 6000, (CUresult error, const char** text))             \
  /* calls/proc_address.cpp */                                                                     \
  PLAIN(cuGetProcAddress, cuGetProcAddress, 11030,                                                 \
        (const char* symbol, void** function, int version, std::uint64_t flags))                   \
  PLAIN(cuGetProcAddress, cuGetProcAddress_v2, 12000,                                              \
        (const char* symbol, void** function, int version, std::uint64_t flags, int* status))      \
  PLAIN(cuGetExportTable, cuGetExportTable, 3000, (const void** table, const CUuuid* id))
// clang-format on

#pragma GCC visibility push(default)
extern "C" {

/// Only the simulator defines this symbol, so that a test can check which driver it runs on. The
/// value is the simulator's own version.
extern const int simcuda_marker;

/// Plans faults as CUDA_SIMULATOR_FAIL does, counted from now, in addition to those already
/// planned. NULL or "" removes all plans. Returns 0, or 1 for a plan that it cannot parse.
int simcuda_fail(const char* plan);

/// Exempts the calling thread's calls from all planned faults: they do not fail and are not
/// counted. With 0, ends the exemption. For tests that plan faults for one library of their
/// process.
void simcuda_spare(int spares);

/// Returns how many calls of a function failed so far because that was planned. Takes the names of
/// simcuda_calls.
unsigned long simcuda_failed(const char* name);

/// Returns how many times a function was called so far, by exported symbol, or by base name for all
/// its variants. Returns 0 for an unknown name.
unsigned long simcuda_calls(const char* name);

/// Returns how many calls of a function failed so far although that was not planned. Takes the
/// names of simcuda_calls. CUDA_ERROR_NOT_READY is a normal result and is not counted.
unsigned long simcuda_refused(const char* name);

/// Returns how many objects of a kind the program created in this process and has not released.
/// "allocations": device, managed, pinned, registered, mapped and opened memory. Pool memory counts
/// until cuMemFreeAsync is called, whenever that runs. Module variables do not count. "streams" and
/// "events": created or opened, and not destroyed; without default streams. "modules": loaded, and
/// not unloaded. "pools": created or imported, and not destroyed; without the devices' own. Objects
/// that ended with their context do not count. Returns ULONG_MAX for an unknown kind.
unsigned long simcuda_live(const char* kind);

#define DECLARE(base, symbol, version, parameters) CUresult symbol parameters;
CUDA_SIMULATOR_FUNCTIONS(DECLARE, DECLARE)
#undef DECLARE
}
#pragma GCC visibility pop
