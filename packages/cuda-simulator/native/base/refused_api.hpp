#pragma once

// The functions of cuda.h 13.5 that the simulator has not, as a driver would have them: base name,
// exported symbol, and the version that introduced this ABI. Programs find and link them; each call
// is CUDA_ERROR_NOT_SUPPORTED. A function that gets a row in driver_api.hpp loses those here. What
// has sizes of 32 bits, of versions before 3.2, is in neither.
// clang-format off: one a line
#define CUDA_SIMULATOR_REFUSED(ROW)                                                               \
  ROW(cuArray3DCreate, cuArray3DCreate_v2, 3020)                                                  \
  ROW(cuArray3DGetDescriptor, cuArray3DGetDescriptor_v2, 3020)                                    \
  ROW(cuArrayCreate, cuArrayCreate_v2, 3020)                                                      \
  ROW(cuArrayDestroy, cuArrayDestroy, 2000)                                                       \
  ROW(cuArrayGetDescriptor, cuArrayGetDescriptor_v2, 3020)                                        \
  ROW(cuArrayGetMemoryRequirements, cuArrayGetMemoryRequirements, 11060)                          \
  ROW(cuArrayGetPlane, cuArrayGetPlane, 11020)                                                    \
  ROW(cuArrayGetSparseProperties, cuArrayGetSparseProperties, 11010)                              \
  ROW(cuCheckpointOperationComplete, cuCheckpointOperationComplete, 13040)                        \
  ROW(cuCheckpointProcessCheckpoint, cuCheckpointProcessCheckpoint, 12080)                        \
  ROW(cuCheckpointProcessGetRestoreThreadId, cuCheckpointProcessGetRestoreThreadId, 12080)        \
  ROW(cuCheckpointProcessGetState, cuCheckpointProcessGetState, 12080)                            \
  ROW(cuCheckpointProcessLock, cuCheckpointProcessLock, 12080)                                    \
  ROW(cuCheckpointProcessRestore, cuCheckpointProcessRestore, 12080)                              \
  ROW(cuCheckpointProcessUnlock, cuCheckpointProcessUnlock, 12080)                                \
  ROW(cuCoredumpDeregisterCompleteCallback, cuCoredumpDeregisterCompleteCallback, 13020)          \
  ROW(cuCoredumpDeregisterStartCallback, cuCoredumpDeregisterStartCallback, 13020)                \
  ROW(cuCoredumpGetAttribute, cuCoredumpGetAttribute, 12010)                                      \
  ROW(cuCoredumpGetAttributeGlobal, cuCoredumpGetAttributeGlobal, 12010)                          \
  ROW(cuCoredumpRegisterCompleteCallback, cuCoredumpRegisterCompleteCallback, 13020)              \
  ROW(cuCoredumpRegisterStartCallback, cuCoredumpRegisterStartCallback, 13020)                    \
  ROW(cuCoredumpSetAttribute, cuCoredumpSetAttribute, 12010)                                      \
  ROW(cuCoredumpSetAttributeGlobal, cuCoredumpSetAttributeGlobal, 12010)                          \
  ROW(cuCtxFromGreenCtx, cuCtxFromGreenCtx, 12040)                                                \
  ROW(cuCtxGetDevResource, cuCtxGetDevResource, 12040)                                            \
  ROW(cuDestroyExternalMemory, cuDestroyExternalMemory, 10000)                                    \
  ROW(cuDestroyExternalSemaphore, cuDestroyExternalSemaphore, 10000)                              \
  ROW(cuDevResourceGenerateDesc, cuDevResourceGenerateDesc, 12040)                                \
  ROW(cuDevSmResourceSplit, cuDevSmResourceSplit, 13010)                                          \
  ROW(cuDevSmResourceSplitByCount, cuDevSmResourceSplitByCount, 12040)                            \
  ROW(cuDeviceGetCliqueCount, cuDeviceGetCliqueCount, 13040)                                      \
  ROW(cuDeviceGetCliqueInfo, cuDeviceGetCliqueInfo, 13040)                                        \
  ROW(cuDeviceGetDevResource, cuDeviceGetDevResource, 12040)                                      \
  ROW(cuDeviceGetFabricClusterUuid, cuDeviceGetFabricClusterUuid, 13040)                          \
  ROW(cuDeviceGetLuid, cuDeviceGetLuid, 10000)                                                    \
  ROW(cuDeviceGetNvSciSyncAttributes, cuDeviceGetNvSciSyncAttributes, 10020)                      \
  ROW(cuDeviceGetTexture1DLinearMaxWidth, cuDeviceGetTexture1DLinearMaxWidth, 11010)              \
  ROW(cuExternalMemoryGetMappedBuffer, cuExternalMemoryGetMappedBuffer, 10000)                    \
  ROW(cuExternalMemoryGetMappedMipmappedArray, cuExternalMemoryGetMappedMipmappedArray, 10000)    \
  ROW(cuFabricCpyBatchAsync, cuFabricCpyBatchAsync, 13050)                                        \
  ROW(cuFlushGPUDirectRDMAWrites, cuFlushGPUDirectRDMAWrites, 11030)                              \
  ROW(cuGraphAddExternalSemaphoresSignalNode, cuGraphAddExternalSemaphoresSignalNode, 11020)      \
  ROW(cuGraphAddExternalSemaphoresWaitNode, cuGraphAddExternalSemaphoresWaitNode, 11020)          \
  ROW(cuGraphConditionalHandleCreate, cuGraphConditionalHandleCreate, 12030)                      \
  ROW(cuGraphExecExternalSemaphoresSignalNodeSetParams,                                           \
      cuGraphExecExternalSemaphoresSignalNodeSetParams, 11020)                                    \
  ROW(cuGraphExecExternalSemaphoresWaitNodeSetParams,                                             \
      cuGraphExecExternalSemaphoresWaitNodeSetParams, 11020)                                      \
  ROW(cuGraphExternalSemaphoresSignalNodeGetParams, cuGraphExternalSemaphoresSignalNodeGetParams, \
      11020)                                                                                      \
  ROW(cuGraphExternalSemaphoresSignalNodeSetParams, cuGraphExternalSemaphoresSignalNodeSetParams, \
      11020)                                                                                      \
  ROW(cuGraphExternalSemaphoresWaitNodeGetParams, cuGraphExternalSemaphoresWaitNodeGetParams,     \
      11020)                                                                                      \
  ROW(cuGraphExternalSemaphoresWaitNodeSetParams, cuGraphExternalSemaphoresWaitNodeSetParams,     \
      11020)                                                                                      \
  ROW(cuGraphicsMapResources, cuGraphicsMapResources, 3000)                                       \
  ROW(cuGraphicsResourceGetMappedMipmappedArray, cuGraphicsResourceGetMappedMipmappedArray, 5000) \
  ROW(cuGraphicsResourceGetMappedPointer, cuGraphicsResourceGetMappedPointer_v2, 3020)            \
  ROW(cuGraphicsResourceSetMapFlags, cuGraphicsResourceSetMapFlags, 3000)                         \
  ROW(cuGraphicsResourceSetMapFlags, cuGraphicsResourceSetMapFlags_v2, 6050)                      \
  ROW(cuGraphicsSubResourceGetMappedArray, cuGraphicsSubResourceGetMappedArray, 3000)             \
  ROW(cuGraphicsUnmapResources, cuGraphicsUnmapResources, 3000)                                   \
  ROW(cuGraphicsUnregisterResource, cuGraphicsUnregisterResource, 3000)                           \
  ROW(cuGreenCtxCreate, cuGreenCtxCreate, 12040)                                                  \
  ROW(cuGreenCtxDestroy, cuGreenCtxDestroy, 12040)                                                \
  ROW(cuGreenCtxGetDevResource, cuGreenCtxGetDevResource, 12040)                                  \
  ROW(cuGreenCtxGetId, cuGreenCtxGetId, 12090)                                                    \
  ROW(cuGreenCtxRecordEvent, cuGreenCtxRecordEvent, 12040)                                        \
  ROW(cuGreenCtxStreamCreate, cuGreenCtxStreamCreate, 12050)                                      \
  ROW(cuGreenCtxWaitEvent, cuGreenCtxWaitEvent, 12040)                                            \
  ROW(cuImportExternalMemory, cuImportExternalMemory, 10000)                                      \
  ROW(cuImportExternalSemaphore, cuImportExternalSemaphore, 10000)                                \
  ROW(cuLaunchCooperativeKernelMultiDevice, cuLaunchCooperativeKernelMultiDevice, 9000)           \
  ROW(cuLogicalEndpointAddDevice, cuLogicalEndpointAddDevice, 13030)                              \
  ROW(cuLogicalEndpointBindAddr, cuLogicalEndpointBindAddr, 13030)                                \
  ROW(cuLogicalEndpointBindMem, cuLogicalEndpointBindMem, 13030)                                  \
  ROW(cuLogicalEndpointCreate, cuLogicalEndpointCreate, 13030)                                    \
  ROW(cuLogicalEndpointDestroy, cuLogicalEndpointDestroy, 13030)                                  \
  ROW(cuLogicalEndpointExport, cuLogicalEndpointExport, 13030)                                    \
  ROW(cuLogicalEndpointGetLimits, cuLogicalEndpointGetLimits, 13030)                              \
  ROW(cuLogicalEndpointIdRelease, cuLogicalEndpointIdRelease, 13030)                              \
  ROW(cuLogicalEndpointIdReserve, cuLogicalEndpointIdReserve, 13030)                              \
  ROW(cuLogicalEndpointImport, cuLogicalEndpointImport, 13030)                                    \
  ROW(cuLogicalEndpointQuery, cuLogicalEndpointQuery, 13030)                                      \
  ROW(cuLogicalEndpointUnbind, cuLogicalEndpointUnbind, 13030)                                    \
  ROW(cuMemBatchDecompressAsync, cuMemBatchDecompressAsync, 12060)                                \
  ROW(cuMemGetHandleForAddressRange, cuMemGetHandleForAddressRange, 11070)                        \
  ROW(cuMemGetLocationInfo, cuMemGetLocationInfo, 13040)                                          \
  ROW(cuMemMapArrayAsync, cuMemMapArrayAsync, 11010)                                              \
  ROW(cuMemcpyAtoA, cuMemcpyAtoA_v2, 3020)                                                        \
  ROW(cuMemcpyAtoD, cuMemcpyAtoD_v2, 3020)                                                        \
  ROW(cuMemcpyAtoH, cuMemcpyAtoH_v2, 3020)                                                        \
  ROW(cuMemcpyAtoHAsync, cuMemcpyAtoHAsync_v2, 3020)                                              \
  ROW(cuMemcpyDtoA, cuMemcpyDtoA_v2, 3020)                                                        \
  ROW(cuMemcpyHtoA, cuMemcpyHtoA_v2, 3020)                                                        \
  ROW(cuMemcpyHtoAAsync, cuMemcpyHtoAAsync_v2, 3020)                                              \
  ROW(cuMipmappedArrayCreate, cuMipmappedArrayCreate, 5000)                                       \
  ROW(cuMipmappedArrayDestroy, cuMipmappedArrayDestroy, 5000)                                     \
  ROW(cuMipmappedArrayGetLevel, cuMipmappedArrayGetLevel, 5000)                                   \
  ROW(cuMipmappedArrayGetMemoryRequirements, cuMipmappedArrayGetMemoryRequirements, 11060)        \
  ROW(cuMipmappedArrayGetSparseProperties, cuMipmappedArrayGetSparseProperties, 11010)            \
  ROW(cuModuleGetSurfRef, cuModuleGetSurfRef, 3000)                                               \
  ROW(cuModuleGetTexRef, cuModuleGetTexRef, 2000)                                                 \
  ROW(cuMulticastAddDevice, cuMulticastAddDevice, 12010)                                          \
  ROW(cuMulticastBindAddr, cuMulticastBindAddr, 12010)                                            \
  ROW(cuMulticastBindAddr, cuMulticastBindAddr_v2, 13010)                                         \
  ROW(cuMulticastBindMem, cuMulticastBindMem, 12010)                                              \
  ROW(cuMulticastBindMem, cuMulticastBindMem_v2, 13010)                                           \
  ROW(cuMulticastCreate, cuMulticastCreate, 12010)                                                \
  ROW(cuMulticastGetGranularity, cuMulticastGetGranularity, 12010)                                \
  ROW(cuMulticastUnbind, cuMulticastUnbind, 12010)                                                \
  ROW(cuParamSetTexRef, cuParamSetTexRef, 2000)                                                   \
  ROW(cuSignalExternalSemaphoresAsync, cuSignalExternalSemaphoresAsync, 10000)                    \
  ROW(cuStreamBeginCaptureToCig, cuStreamBeginCaptureToCig, 13010)                                \
  ROW(cuStreamBeginRecaptureToGraph, cuStreamBeginRecaptureToGraph, 13030)                        \
  ROW(cuStreamEndCaptureToCig, cuStreamEndCaptureToCig, 13010)                                    \
  ROW(cuStreamGetDevResource, cuStreamGetDevResource, 13010)                                      \
  ROW(cuStreamGetGreenCtx, cuStreamGetGreenCtx, 12040)                                            \
  ROW(cuSurfObjectCreate, cuSurfObjectCreate, 5000)                                               \
  ROW(cuSurfObjectDestroy, cuSurfObjectDestroy, 5000)                                             \
  ROW(cuSurfObjectGetResourceDesc, cuSurfObjectGetResourceDesc, 5000)                             \
  ROW(cuSurfRefGetArray, cuSurfRefGetArray, 3000)                                                 \
  ROW(cuSurfRefSetArray, cuSurfRefSetArray, 3000)                                                 \
  ROW(cuTensorMapEncodeIm2col, cuTensorMapEncodeIm2col, 12000)                                    \
  ROW(cuTensorMapEncodeIm2colWide, cuTensorMapEncodeIm2colWide, 12080)                            \
  ROW(cuTensorMapEncodeTiled, cuTensorMapEncodeTiled, 12000)                                      \
  ROW(cuTensorMapReplaceAddress, cuTensorMapReplaceAddress, 12000)                                \
  ROW(cuTensorMapSetAllocationClass, cuTensorMapSetAllocationClass, 13050)                        \
  ROW(cuTexObjectCreate, cuTexObjectCreate, 5000)                                                 \
  ROW(cuTexObjectDestroy, cuTexObjectDestroy, 5000)                                               \
  ROW(cuTexObjectGetResourceDesc, cuTexObjectGetResourceDesc, 5000)                               \
  ROW(cuTexObjectGetResourceViewDesc, cuTexObjectGetResourceViewDesc, 5000)                       \
  ROW(cuTexObjectGetTextureDesc, cuTexObjectGetTextureDesc, 5000)                                 \
  ROW(cuTexRefCreate, cuTexRefCreate, 2000)                                                       \
  ROW(cuTexRefDestroy, cuTexRefDestroy, 2000)                                                     \
  ROW(cuTexRefGetAddress, cuTexRefGetAddress_v2, 3020)                                            \
  ROW(cuTexRefGetAddressMode, cuTexRefGetAddressMode, 2000)                                       \
  ROW(cuTexRefGetArray, cuTexRefGetArray, 2000)                                                   \
  ROW(cuTexRefGetBorderColor, cuTexRefGetBorderColor, 8000)                                       \
  ROW(cuTexRefGetFilterMode, cuTexRefGetFilterMode, 2000)                                         \
  ROW(cuTexRefGetFlags, cuTexRefGetFlags, 2000)                                                   \
  ROW(cuTexRefGetFormat, cuTexRefGetFormat, 2000)                                                 \
  ROW(cuTexRefGetMaxAnisotropy, cuTexRefGetMaxAnisotropy, 5000)                                   \
  ROW(cuTexRefGetMipmapFilterMode, cuTexRefGetMipmapFilterMode, 5000)                             \
  ROW(cuTexRefGetMipmapLevelBias, cuTexRefGetMipmapLevelBias, 5000)                               \
  ROW(cuTexRefGetMipmapLevelClamp, cuTexRefGetMipmapLevelClamp, 5000)                             \
  ROW(cuTexRefGetMipmappedArray, cuTexRefGetMipmappedArray, 5000)                                 \
  ROW(cuTexRefSetAddress, cuTexRefSetAddress_v2, 3020)                                            \
  ROW(cuTexRefSetAddress2D, cuTexRefSetAddress2D_v2, 3020)                                        \
  ROW(cuTexRefSetAddress2D, cuTexRefSetAddress2D_v3, 4010)                                        \
  ROW(cuTexRefSetAddressMode, cuTexRefSetAddressMode, 2000)                                       \
  ROW(cuTexRefSetArray, cuTexRefSetArray, 2000)                                                   \
  ROW(cuTexRefSetBorderColor, cuTexRefSetBorderColor, 8000)                                       \
  ROW(cuTexRefSetFilterMode, cuTexRefSetFilterMode, 2000)                                         \
  ROW(cuTexRefSetFlags, cuTexRefSetFlags, 2000)                                                   \
  ROW(cuTexRefSetFormat, cuTexRefSetFormat, 2000)                                                 \
  ROW(cuTexRefSetMaxAnisotropy, cuTexRefSetMaxAnisotropy, 5000)                                   \
  ROW(cuTexRefSetMipmapFilterMode, cuTexRefSetMipmapFilterMode, 5000)                             \
  ROW(cuTexRefSetMipmapLevelBias, cuTexRefSetMipmapLevelBias, 5000)                               \
  ROW(cuTexRefSetMipmapLevelClamp, cuTexRefSetMipmapLevelClamp, 5000)                             \
  ROW(cuTexRefSetMipmappedArray, cuTexRefSetMipmappedArray, 5000)                                 \
  ROW(cuWaitExternalSemaphoresAsync, cuWaitExternalSemaphoresAsync, 10000)
// clang-format on
