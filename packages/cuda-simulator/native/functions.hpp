#pragma once

#include "driver_api.hpp"

// The one table of exported functions: base name as cuGetProcAddress takes it, exported symbol, and
// the driver version that introduced this ABI of it. A base name may have several rows.
//
// PLAIN   means the same whatever the default stream is.
// STREAM  uses a stream, named or implied: asked for with the per-thread flag, 0 is the thread's
// own.
//
// To add a function: a declaration in driver_api.hpp, its body in the file of its family, a row
// here.
#define CUDA_SIMULATOR_FUNCTIONS(PLAIN, STREAM)                                      \
  PLAIN(cuInit, cuInit, 2000)                                                        \
  PLAIN(cuDriverGetVersion, cuDriverGetVersion, 2020)                                \
  PLAIN(cuDeviceGetCount, cuDeviceGetCount, 2000)                                    \
  PLAIN(cuDeviceGet, cuDeviceGet, 2000)                                              \
  PLAIN(cuDeviceGetName, cuDeviceGetName, 2000)                                      \
  PLAIN(cuDeviceTotalMem, cuDeviceTotalMem_v2, 3020)                                 \
  PLAIN(cuDeviceGetUuid, cuDeviceGetUuid, 9020)                                      \
  PLAIN(cuDeviceGetUuid, cuDeviceGetUuid_v2, 11040)                                  \
  PLAIN(cuDeviceGetPCIBusId, cuDeviceGetPCIBusId, 4010)                              \
  PLAIN(cuDeviceGetByPCIBusId, cuDeviceGetByPCIBusId, 4010)                          \
  PLAIN(cuDeviceGetAttribute, cuDeviceGetAttribute, 2000)                            \
  PLAIN(cuDeviceCanAccessPeer, cuDeviceCanAccessPeer, 4000)                          \
  PLAIN(cuCtxEnablePeerAccess, cuCtxEnablePeerAccess, 4000)                          \
  PLAIN(cuCtxDisablePeerAccess, cuCtxDisablePeerAccess, 4000)                        \
  PLAIN(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, 7000)                    \
  PLAIN(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, 11000)              \
  PLAIN(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2, 11000)                  \
  PLAIN(cuDevicePrimaryCtxGetState, cuDevicePrimaryCtxGetState, 7000)                \
  PLAIN(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2, 11000)            \
  PLAIN(cuCtxGetCurrent, cuCtxGetCurrent, 4000)                                      \
  PLAIN(cuCtxSetCurrent, cuCtxSetCurrent, 4000)                                      \
  PLAIN(cuCtxPushCurrent, cuCtxPushCurrent_v2, 4000)                                 \
  PLAIN(cuCtxPopCurrent, cuCtxPopCurrent_v2, 4000)                                   \
  PLAIN(cuCtxGetDevice, cuCtxGetDevice, 2000)                                        \
  PLAIN(cuCtxGetDevice, cuCtxGetDevice_v2, 13000)                                    \
  PLAIN(cuCtxGetId, cuCtxGetId, 12000)                                               \
  PLAIN(cuCtxGetFlags, cuCtxGetFlags, 7000)                                          \
  PLAIN(cuCtxGetApiVersion, cuCtxGetApiVersion, 3020)                                \
  PLAIN(cuCtxGetStreamPriorityRange, cuCtxGetStreamPriorityRange, 5050)              \
  PLAIN(cuCtxSynchronize, cuCtxSynchronize, 2000)                                    \
  PLAIN(cuCtxSynchronize, cuCtxSynchronize_v2, 13000)                                \
  PLAIN(cuMemGetInfo, cuMemGetInfo_v2, 3020)                                         \
  PLAIN(cuMemAlloc, cuMemAlloc_v2, 3020)                                             \
  PLAIN(cuMemAllocManaged, cuMemAllocManaged, 6000)                                  \
  PLAIN(cuMemFree, cuMemFree_v2, 3020)                                               \
  PLAIN(cuMemGetAddressRange, cuMemGetAddressRange_v2, 3020)                         \
  PLAIN(cuMemAllocHost, cuMemAllocHost_v2, 3020)                                     \
  PLAIN(cuMemHostAlloc, cuMemHostAlloc, 2020)                                        \
  PLAIN(cuMemFreeHost, cuMemFreeHost, 2000)                                          \
  PLAIN(cuMemHostRegister, cuMemHostRegister_v2, 6050)                               \
  PLAIN(cuMemHostUnregister, cuMemHostUnregister, 4000)                              \
  PLAIN(cuMemHostGetDevicePointer, cuMemHostGetDevicePointer_v2, 3020)               \
  PLAIN(cuMemHostGetFlags, cuMemHostGetFlags, 2030)                                  \
  PLAIN(cuPointerGetAttribute, cuPointerGetAttribute, 4000)                          \
  PLAIN(cuPointerGetAttributes, cuPointerGetAttributes, 7000)                        \
  PLAIN(cuIpcGetMemHandle, cuIpcGetMemHandle, 4010)                                  \
  PLAIN(cuIpcOpenMemHandle, cuIpcOpenMemHandle, 4010)                                \
  PLAIN(cuIpcOpenMemHandle, cuIpcOpenMemHandle_v2, 11000)                            \
  PLAIN(cuIpcCloseMemHandle, cuIpcCloseMemHandle, 4010)                              \
  PLAIN(cuIpcGetEventHandle, cuIpcGetEventHandle, 4010)                              \
  PLAIN(cuIpcOpenEventHandle, cuIpcOpenEventHandle, 4010)                            \
  STREAM(cuMemcpy, cuMemcpy, 4000)                                                   \
  STREAM(cuMemcpyAsync, cuMemcpyAsync, 4000)                                         \
  STREAM(cuMemcpyHtoD, cuMemcpyHtoD_v2, 3020)                                        \
  STREAM(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2, 3020)                              \
  STREAM(cuMemcpyDtoH, cuMemcpyDtoH_v2, 3020)                                        \
  STREAM(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, 3020)                              \
  STREAM(cuMemcpyDtoD, cuMemcpyDtoD_v2, 3020)                                        \
  STREAM(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2, 3020)                              \
  STREAM(cuMemcpyPeer, cuMemcpyPeer, 4000)                                           \
  STREAM(cuMemcpyPeerAsync, cuMemcpyPeerAsync, 4000)                                 \
  STREAM(cuMemcpy2D, cuMemcpy2D_v2, 3020)                                            \
  STREAM(cuMemcpy2DUnaligned, cuMemcpy2DUnaligned_v2, 3020)                          \
  STREAM(cuMemcpy2DAsync, cuMemcpy2DAsync_v2, 3020)                                  \
  STREAM(cuMemsetD8, cuMemsetD8_v2, 3020)                                            \
  STREAM(cuMemsetD16, cuMemsetD16_v2, 3020)                                          \
  STREAM(cuMemsetD32, cuMemsetD32_v2, 3020)                                          \
  STREAM(cuMemsetD8Async, cuMemsetD8Async, 3020)                                     \
  STREAM(cuMemsetD16Async, cuMemsetD16Async, 3020)                                   \
  STREAM(cuMemsetD32Async, cuMemsetD32Async, 3020)                                   \
  PLAIN(cuStreamCreate, cuStreamCreate, 2000)                                        \
  PLAIN(cuStreamCreateWithPriority, cuStreamCreateWithPriority, 5050)                \
  PLAIN(cuStreamDestroy, cuStreamDestroy_v2, 4000)                                   \
  STREAM(cuStreamSynchronize, cuStreamSynchronize, 2000)                             \
  STREAM(cuStreamQuery, cuStreamQuery, 2000)                                         \
  STREAM(cuStreamWaitEvent, cuStreamWaitEvent, 3020)                                 \
  STREAM(cuStreamGetFlags, cuStreamGetFlags, 5050)                                   \
  STREAM(cuStreamGetCtx, cuStreamGetCtx, 9020)                                       \
  STREAM(cuStreamGetCtx, cuStreamGetCtx_v2, 12050)                                   \
  STREAM(cuStreamGetPriority, cuStreamGetPriority, 5050)                             \
  STREAM(cuStreamGetId, cuStreamGetId, 12000)                                        \
  STREAM(cuStreamGetDevice, cuStreamGetDevice, 12080)                                \
  STREAM(cuLaunchHostFunc, cuLaunchHostFunc, 10000)                                  \
  STREAM(cuStreamBeginCapture, cuStreamBeginCapture, 10000)                          \
  STREAM(cuStreamBeginCapture, cuStreamBeginCapture_v2, 10010)                       \
  STREAM(cuStreamEndCapture, cuStreamEndCapture, 10000)                              \
  STREAM(cuStreamIsCapturing, cuStreamIsCapturing, 10000)                            \
  STREAM(cuStreamGetCaptureInfo, cuStreamGetCaptureInfo, 10010)                      \
  STREAM(cuStreamGetCaptureInfo, cuStreamGetCaptureInfo_v2, 11030)                   \
  STREAM(cuStreamGetCaptureInfo, cuStreamGetCaptureInfo_v3, 12030)                   \
  PLAIN(cuThreadExchangeStreamCaptureMode, cuThreadExchangeStreamCaptureMode, 10010) \
  PLAIN(cuGraphCreate, cuGraphCreate, 10000)                                         \
  PLAIN(cuGraphClone, cuGraphClone, 10000)                                           \
  PLAIN(cuGraphDestroy, cuGraphDestroy, 10000)                                       \
  PLAIN(cuGraphGetNodes, cuGraphGetNodes, 10000)                                     \
  PLAIN(cuGraphInstantiate, cuGraphInstantiate, 10000)                               \
  PLAIN(cuGraphInstantiate, cuGraphInstantiate_v2, 11000)                            \
  PLAIN(cuGraphInstantiate, cuGraphInstantiateWithFlags, 12000)                      \
  PLAIN(cuGraphInstantiateWithFlags, cuGraphInstantiateWithFlags, 11040)             \
  STREAM(cuGraphInstantiateWithParams, cuGraphInstantiateWithParams, 12000)          \
  STREAM(cuGraphUpload, cuGraphUpload, 11010)                                        \
  STREAM(cuGraphLaunch, cuGraphLaunch, 10000)                                        \
  PLAIN(cuGraphExecDestroy, cuGraphExecDestroy, 10000)                               \
  PLAIN(cuEventCreate, cuEventCreate, 2000)                                          \
  STREAM(cuEventRecord, cuEventRecord, 2000)                                         \
  STREAM(cuEventRecordWithFlags, cuEventRecordWithFlags, 11010)                      \
  PLAIN(cuEventQuery, cuEventQuery, 2000)                                            \
  PLAIN(cuEventSynchronize, cuEventSynchronize, 2000)                                \
  PLAIN(cuEventDestroy, cuEventDestroy_v2, 4000)                                     \
  PLAIN(cuEventElapsedTime, cuEventElapsedTime, 2000)                                \
  PLAIN(cuEventElapsedTime, cuEventElapsedTime_v2, 12080)                            \
  PLAIN(cuModuleLoadData, cuModuleLoadData, 2000)                                    \
  PLAIN(cuModuleLoadDataEx, cuModuleLoadDataEx, 2010)                                \
  PLAIN(cuModuleGetFunction, cuModuleGetFunction, 2000)                              \
  PLAIN(cuModuleUnload, cuModuleUnload, 2000)                                        \
  STREAM(cuLaunchKernel, cuLaunchKernel, 4000)                                       \
  PLAIN(cuGetErrorName, cuGetErrorName, 6000)                                        \
  PLAIN(cuGetErrorString, cuGetErrorString, 6000)                                    \
  PLAIN(cuGetProcAddress, cuGetProcAddress, 11030)                                   \
  PLAIN(cuGetProcAddress, cuGetProcAddress_v2, 12000)
