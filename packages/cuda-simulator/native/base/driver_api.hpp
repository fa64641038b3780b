#pragma once

#include "cuda_abi.hpp"

// The functions that the library exports, by family. functions.hpp lists the version of each.

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

// calls/context/device.cpp
CUresult cuInit(unsigned flags);
CUresult cuDriverGetVersion(int* version);
CUresult cuDeviceGetCount(int* count);
CUresult cuDeviceGet(CUdevice* device, int ordinal);
CUresult cuDeviceGetName(char* name, int length, CUdevice device);
CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice device);
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device);
CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device);
CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device);
CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text);
CUresult cuDeviceGetAttribute(int* value, int attribute, CUdevice device);
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device);

// calls/context/peer.cpp
CUresult cuDeviceGetP2PAttribute(int* value, int attribute, CUdevice source, CUdevice destination);
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer);
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags);
CUresult cuCtxDisablePeerAccess(CUcontext peer);

// calls/context/primary.cpp
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device);
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device);
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active);
CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags);

// calls/context/current.cpp
CUresult cuCtxGetCurrent(CUcontext* context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxPushCurrent_v2(CUcontext context);
CUresult cuCtxPopCurrent_v2(CUcontext* context);
CUresult cuCtxGetDevice(CUdevice* device);
CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext context);
CUresult cuCtxGetId(CUcontext context, unsigned long long* id);
CUresult cuCtxGetFlags(unsigned* flags);
CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version);
CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest);
CUresult cuCtxSynchronize();
CUresult cuCtxSynchronize_v2(CUcontext context);

// calls/context/context.cpp
CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device);
CUresult cuCtxCreate_v3(CUcontext*, const void* affinity, int count, unsigned flags, CUdevice);
CUresult cuCtxCreate_v4(CUcontext*, const CUctxCreateParams*, unsigned flags, CUdevice device);
CUresult cuCtxDestroy_v2(CUcontext context);
CUresult cuCtxAttach(CUcontext* context, unsigned flags);
CUresult cuCtxDetach(CUcontext context);
CUresult cuCtxGetLimit(std::size_t* value, int limit);
CUresult cuCtxSetLimit(int limit, std::size_t value);
CUresult cuCtxGetCacheConfig(int* config);
CUresult cuCtxSetCacheConfig(int config);
CUresult cuCtxGetSharedMemConfig(int* config);
CUresult cuCtxSetSharedMemConfig(int config);
CUresult cuCtxSetFlags(unsigned flags);
CUresult cuCtxResetPersistingL2Cache();
CUresult cuProfilerStart();
CUresult cuProfilerStop();
CUresult cuProfilerInitialize(const char* config, const char* output, int mode);

// calls/memory/device.cpp
CUresult cuMemAllocPitch_v2(CUdeviceptr*, std::size_t* pitch, std::size_t width, std::size_t height,
                            unsigned element);
CUresult cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total);
CUresult cuMemAlloc_v2(CUdeviceptr* pointer, std::size_t size);
CUresult cuMemAllocManaged(CUdeviceptr* pointer, std::size_t size, unsigned flags);
CUresult cuMemFree_v2(CUdeviceptr pointer);
CUresult cuMemGetAddressRange_v2(CUdeviceptr* start, std::size_t* size, CUdeviceptr pointer);

// calls/memory/host.cpp
CUresult cuMemAllocHost_v2(void** pointer, std::size_t size);
CUresult cuMemHostAlloc(void** pointer, std::size_t size, unsigned flags);
CUresult cuMemFreeHost(void* pointer);
CUresult cuMemHostRegister_v2(void* pointer, std::size_t size, unsigned flags);
CUresult cuMemHostUnregister(void* pointer);
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* device, void* pointer, unsigned flags);
CUresult cuMemHostGetFlags(unsigned* flags, void* pointer);

// calls/memory/pointer.cpp
CUresult cuPointerSetAttribute(const void* value, int attribute, CUdeviceptr pointer);
CUresult cuPointerGetAttribute(void* data, int attribute, CUdeviceptr pointer);
CUresult cuPointerGetAttributes(unsigned count, int* attributes, void** data, CUdeviceptr pointer);

// calls/memory/ipc.cpp
CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr pointer);
CUresult cuIpcOpenMemHandle(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned flags);
CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned flags);
CUresult cuIpcCloseMemHandle(CUdeviceptr pointer);

// calls/stream/ipc.cpp
CUresult cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event);
CUresult cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle handle);

// calls/memory/pool.cpp
CUresult cuMemAllocAsync(CUdeviceptr* pointer, std::size_t size, CUstream stream);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* pointer, std::size_t size, CUmemoryPool, CUstream);
CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream);
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device);
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device);
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool);
CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location, int type);
CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, int type);
CUresult cuMemSetMemPool(CUmemLocation* location, int type, CUmemoryPool pool);
CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties);
CUresult cuMemPoolDestroy(CUmemoryPool pool);
CUresult cuMemPoolTrimTo(CUmemoryPool pool, std::size_t kept);
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, int attribute, void* value);
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, void* value);
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* rows, std::size_t count);
CUresult cuMemPoolGetAccess(int* flags, CUmemoryPool pool, CUmemLocation* location);

// calls/memory/pool_export.cpp
CUresult cuMemPoolExportToShareableHandle(void* handle, CUmemoryPool pool, int type,
                                          unsigned long long flags);
CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool, void* handle, int type,
                                            unsigned long long flags);
CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData* data, CUdeviceptr pointer);
CUresult cuMemPoolImportPointer(CUdeviceptr* pointer, CUmemoryPool, CUmemPoolPtrExportData* data);

// calls/memory/virtual.cpp
CUresult cuMemGetAllocationGranularity(std::size_t*, const CUmemAllocationProp*, int option);
CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, std::size_t size,
                     const CUmemAllocationProp* properties, unsigned long long flags);
CUresult cuMemRelease(CUmemGenericAllocationHandle handle);
CUresult cuMemAddressReserve(CUdeviceptr* pointer, std::size_t size, std::size_t alignment,
                             CUdeviceptr wish, unsigned long long flags);
CUresult cuMemAddressFree(CUdeviceptr pointer, std::size_t size);
CUresult cuMemMap(CUdeviceptr pointer, std::size_t size, std::size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags);
CUresult cuMemUnmap(CUdeviceptr pointer, std::size_t size);
CUresult cuMemSetAccess(CUdeviceptr, std::size_t, const CUmemAccessDesc* rows, std::size_t count);
CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp*, CUmemGenericAllocationHandle);
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address);
CUresult cuMemExportToShareableHandle(void* target, CUmemGenericAllocationHandle handle, int type,
                                      unsigned long long flags);
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle*, void* source, int type);

// calls/memory/memcpy.cpp
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* copy);
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* copy, CUstream stream);
CUresult cuMemcpy(CUdeviceptr destination, CUdeviceptr source, std::size_t size);
CUresult cuMemcpyAsync(CUdeviceptr destination, CUdeviceptr source, std::size_t size, CUstream);
CUresult cuMemcpyHtoD_v2(CUdeviceptr destination, const void* source, std::size_t size);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr, const void* source, std::size_t size, CUstream);
CUresult cuMemcpyDtoH_v2(void* destination, CUdeviceptr source, std::size_t size);
CUresult cuMemcpyDtoHAsync_v2(void* destination, CUdeviceptr source, std::size_t size, CUstream);
CUresult cuMemcpyDtoD_v2(CUdeviceptr destination, CUdeviceptr source, std::size_t size);
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr, CUdeviceptr source, std::size_t size, CUstream);
CUresult cuMemcpyPeer(CUdeviceptr, CUcontext, CUdeviceptr source, CUcontext, std::size_t size);
CUresult cuMemcpyPeerAsync(CUdeviceptr, CUcontext, CUdeviceptr source, CUcontext, std::size_t size,
                           CUstream);
CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy);
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* copy);
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream stream);

// calls/memory/memset.cpp
CUresult cuMemsetD2D8_v2(CUdeviceptr, std::size_t, unsigned char, std::size_t, std::size_t);
CUresult cuMemsetD2D16_v2(CUdeviceptr, std::size_t, unsigned short, std::size_t, std::size_t);
CUresult cuMemsetD2D32_v2(CUdeviceptr, std::size_t, unsigned, std::size_t, std::size_t);
CUresult cuMemsetD2D8Async(CUdeviceptr, std::size_t pitch, unsigned char, std::size_t width,
                           std::size_t height, CUstream);
CUresult cuMemsetD2D16Async(CUdeviceptr, std::size_t pitch, unsigned short, std::size_t width,
                            std::size_t height, CUstream);
CUresult cuMemsetD2D32Async(CUdeviceptr, std::size_t pitch, unsigned, std::size_t width,
                            std::size_t height, CUstream);
CUresult cuMemsetD8_v2(CUdeviceptr destination, unsigned char value, std::size_t count);
CUresult cuMemsetD16_v2(CUdeviceptr destination, unsigned short value, std::size_t count);
CUresult cuMemsetD32_v2(CUdeviceptr destination, unsigned value, std::size_t count);
CUresult cuMemsetD8Async(CUdeviceptr, unsigned char value, std::size_t count, CUstream stream);
CUresult cuMemsetD16Async(CUdeviceptr, unsigned short value, std::size_t count, CUstream stream);
CUresult cuMemsetD32Async(CUdeviceptr, unsigned value, std::size_t count, CUstream stream);

// calls/stream/stream.cpp
CUresult cuStreamCreate(CUstream* stream, unsigned flags);
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority);
CUresult cuStreamDestroy_v2(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamQuery(CUstream stream);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags);
CUresult cuStreamGetFlags(CUstream stream, unsigned* flags);
CUresult cuStreamGetCtx(CUstream stream, CUcontext* context);
CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* context, CUgreenCtx* green);
CUresult cuStreamGetPriority(CUstream stream, int* priority);
CUresult cuStreamGetId(CUstream stream, unsigned long long* id);
CUresult cuStreamGetDevice(CUstream stream, CUdevice* device);
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* user_data);
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback, void* user_data, unsigned flags);

// calls/stream/graph.cpp
CUresult cuStreamBeginCapture(CUstream stream);
CUresult cuStreamBeginCapture_v2(CUstream stream, int mode);
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph);
CUresult cuStreamIsCapturing(CUstream stream, int* status);
CUresult cuStreamGetCaptureInfo(CUstream stream, int* status, std::uint64_t* id);
CUresult cuStreamGetCaptureInfo_v2(CUstream stream, int* status, std::uint64_t* id, CUgraph* graph,
                                   const CUgraphNode** needs, std::size_t* count);
CUresult cuStreamGetCaptureInfo_v3(CUstream stream, int* status, std::uint64_t* id, CUgraph* graph,
                                   const CUgraphNode** needs, const void** edges,
                                   std::size_t* count);
CUresult cuThreadExchangeStreamCaptureMode(int* mode);
CUresult cuGraphCreate(CUgraph* graph, unsigned flags);
CUresult cuGraphClone(CUgraph* clone, CUgraph graph);
CUresult cuGraphDestroy(CUgraph graph);
CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, std::size_t* count);
CUresult cuGraphInstantiate(CUgraphExec*, CUgraph, CUgraphNode* error, char* log, std::size_t size);
CUresult cuGraphInstantiate_v2(CUgraphExec*, CUgraph, CUgraphNode* error, char* log,
                               std::size_t size);
CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph, unsigned long long flags);
CUresult cuGraphInstantiateWithParams(CUgraphExec*, CUgraph, CUDA_GRAPH_INSTANTIATE_PARAMS*);
CUresult cuGraphUpload(CUgraphExec executable, CUstream stream);
CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream);
CUresult cuGraphExecDestroy(CUgraphExec executable);

// calls/stream/event.cpp
CUresult cuEventCreate(CUevent* event, unsigned flags);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags);
CUresult cuEventQuery(CUevent event);
CUresult cuEventSynchronize(CUevent event);
CUresult cuEventDestroy_v2(CUevent event);
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end);
CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end);

// calls/module/module.cpp
CUresult cuModuleLoad(CUmodule* module, const char* path);
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image);
CUresult cuModuleGetGlobal_v2(CUdeviceptr*, std::size_t* size, CUmodule module, const char* name);
CUresult cuModuleGetLoadingMode(int* mode);
CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module);
CUresult cuModuleLoadData(CUmodule* module, const void* image);
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, int* options,
                            void** values);
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name);
CUresult cuModuleUnload(CUmodule module);

// calls/module/launch.cpp
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters,
                          void** extra);
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void** parameters, void** extra);

// calls/module/function.cpp
CUresult cuFuncGetAttribute(int* value, int attribute, CUfunction function);
CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value);
CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z);
CUresult cuFuncSetCacheConfig(CUfunction function, int config);
CUresult cuFuncSetSharedMemConfig(CUfunction function, int config);
CUresult cuFuncGetModule(CUmodule* module, CUfunction function);
CUresult cuFuncGetName(const char** name, CUfunction function);
CUresult cuFuncGetParamInfo(CUfunction, std::size_t index, std::size_t* offset, std::size_t* size);
CUresult cuFuncIsLoaded(int* state, CUfunction function);
CUresult cuFuncLoad(CUfunction function);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction, int block,
                                                     std::size_t dynamic_shared);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction, int block,
                                                              std::size_t dynamic_shared,
                                                              unsigned flags);
CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction, CUoccupancyB2DSize,
                                          std::size_t dynamic_shared, int limit);
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction,
                                                   CUoccupancyB2DSize, std::size_t dynamic_shared,
                                                   int limit, unsigned flags);
CUresult cuOccupancyAvailableDynamicSMemPerBlock(std::size_t*, CUfunction, int blocks, int block);

// calls/module/library.cpp
CUresult cuLibraryLoadData(CUlibrary*, const void* code, int* options, void** values,
                           unsigned count, int* library_options, void** library_values,
                           unsigned library_count);
CUresult cuLibraryLoadFromFile(CUlibrary*, const char* path, int* options, void** values,
                               unsigned count, int* library_options, void** library_values,
                               unsigned library_count);
CUresult cuLibraryUnload(CUlibrary library);
CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name);
CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library);
CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned count, CUlibrary library);
CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library);
CUresult cuLibraryGetGlobal(CUdeviceptr*, std::size_t* size, CUlibrary library, const char* name);
CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel);
CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel);
CUresult cuKernelGetName(const char** name, CUkernel kernel);
CUresult cuKernelGetAttribute(int* value, int attribute, CUkernel kernel, CUdevice device);
CUresult cuKernelSetAttribute(int attribute, int value, CUkernel kernel, CUdevice device);
CUresult cuKernelSetCacheConfig(CUkernel kernel, int config, CUdevice device);
CUresult cuKernelGetParamInfo(CUkernel, std::size_t index, std::size_t* offset, std::size_t* size);

// calls/module/link.cpp
CUresult cuLinkCreate_v2(unsigned count, int* options, void** values, CUlinkState* state);
CUresult cuLinkAddData_v2(CUlinkState, int type, void* data, std::size_t size, const char* name,
                          unsigned count, int* options, void** values);
CUresult cuLinkAddFile_v2(CUlinkState, int type, const char* path, unsigned count, int* options,
                          void** values);
CUresult cuLinkComplete(CUlinkState state, void** image, std::size_t* size);
CUresult cuLinkDestroy(CUlinkState state);

// calls/memory/managed.cpp
CUresult cuMemPrefetchAsync(CUdeviceptr pointer, std::size_t size, CUdevice, CUstream stream);
CUresult cuMemPrefetchAsync_v2(CUdeviceptr, std::size_t, CUmemLocation, unsigned flags, CUstream);
CUresult cuMemAdvise(CUdeviceptr pointer, std::size_t size, int advice, CUdevice device);
CUresult cuMemAdvise_v2(CUdeviceptr pointer, std::size_t size, int advice, CUmemLocation);
CUresult cuStreamAttachMemAsync(CUstream, CUdeviceptr, std::size_t length, unsigned flags);

// calls/error.cpp
CUresult cuGetErrorName(CUresult error, const char** name);
CUresult cuGetErrorString(CUresult error, const char** text);

// calls/proc_address.cpp
CUresult cuGetProcAddress(const char* symbol, void** function, int version, std::uint64_t flags);
CUresult cuGetProcAddress_v2(const char* symbol, void** function, int version, std::uint64_t flags,
                             int* status);
CUresult cuGetExportTable(const void** table, const CUuuid* id);
}
#pragma GCC visibility pop
