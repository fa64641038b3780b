#include <cstring>

#include "state.hpp"

using namespace array_interface::cuda_runtime;

namespace {

constexpr unsigned registered_or_pinned = CU_MEMORYTYPE_HOST;

// cudaMemoryType
enum MemoryType : int { unregistered = 0, host = 1, device = 2, managed = 3 };

CUdeviceptr* target(void** pointer) { return reinterpret_cast<CUdeviceptr*>(pointer); }

CUresult is_direction(int kind) {
  return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault
             ? CUDA_SUCCESS
             : static_cast<CUresult>(cudaErrorInvalidMemcpyDirection);
}

/// Copies by the kind that the caller names, so that a wrong one is an error as for a device.
CUresult copy_row(void* to, const void* from, std::size_t size, int kind, CUstream stream,
                  bool is_async) {
  if (size == 0) return is_direction(kind);
  switch (kind) {
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault:
      return is_async ? cuMemcpyAsync(address(to), address(from), size, stream)
                      : in_scope<cuMemcpy>("cuMemcpy", address(to), address(from), size);
    case cudaMemcpyHostToDevice:
      return is_async ? cuMemcpyHtoDAsync_v2(address(to), from, size, stream)
                      : in_scope<cuMemcpyHtoD_v2>("cuMemcpyHtoD", address(to), from, size);
    case cudaMemcpyDeviceToHost:
      return is_async ? cuMemcpyDtoHAsync_v2(to, address(from), size, stream)
                      : in_scope<cuMemcpyDtoH_v2>("cuMemcpyDtoH", to, address(from), size);
    case cudaMemcpyDeviceToDevice:
      return is_async ? cuMemcpyDtoDAsync_v2(address(to), address(from), size, stream)
                      : in_scope<cuMemcpyDtoD_v2>("cuMemcpyDtoD", address(to), address(from), size);
    default:
      return static_cast<CUresult>(cudaErrorInvalidMemcpyDirection);
  }
}

unsigned type_of(bool is_device, int kind) {
  if (kind == cudaMemcpyDefault) return CU_MEMORYTYPE_UNIFIED;
  return is_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
}

bool reads_device(int kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
}

bool writes_device(int kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
}

template <class Plan>
void put_source(Plan& plan, const void* pointer, std::size_t pitch, int kind) {
  plan.srcMemoryType = type_of(reads_device(kind), kind);
  plan.srcHost = pointer;
  plan.srcDevice = address(pointer);
  plan.srcPitch = pitch;
}

template <class Plan>
void put_destination(Plan& plan, void* pointer, std::size_t pitch, int kind) {
  plan.dstMemoryType = type_of(writes_device(kind), kind);
  plan.dstHost = pointer;
  plan.dstDevice = address(pointer);
  plan.dstPitch = pitch;
}

CUresult copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                   std::size_t width, std::size_t height, int kind, CUstream stream,
                   bool is_async) {
  const CUresult direction = is_direction(kind);
  if (direction != CUDA_SUCCESS) return direction;
  if (width > to_pitch || width > from_pitch) {
    return static_cast<CUresult>(cudaErrorInvalidPitchValue);
  }
  CUDA_MEMCPY2D plan{};
  put_source(plan, from, from_pitch, kind);
  put_destination(plan, to, to_pitch, kind);
  plan.WidthInBytes = width;
  plan.Height = height;
  return is_async ? cuMemcpy2DAsync_v2(&plan, stream)
                  : in_scope<cuMemcpy2DUnaligned_v2>("cuMemcpy2DUnaligned", &plan);
}

/// The driver's plan of a box. Both of the runtime's have these fields, but for the kind.
template <class Box>
CUDA_MEMCPY3D plan_of(const Box& box, int kind) {
  CUDA_MEMCPY3D plan{};
  put_source(plan, box.srcPtr.ptr, box.srcPtr.pitch, kind);
  put_destination(plan, box.dstPtr.ptr, box.dstPtr.pitch, kind);
  plan.srcXInBytes = box.srcPos.x;
  plan.srcY = box.srcPos.y;
  plan.srcZ = box.srcPos.z;
  plan.srcHeight = box.srcPtr.ysize;
  plan.dstXInBytes = box.dstPos.x;
  plan.dstY = box.dstPos.y;
  plan.dstZ = box.dstPos.z;
  plan.dstHeight = box.dstPtr.ysize;
  plan.WidthInBytes = box.extent.width;
  plan.Height = box.extent.height;
  plan.Depth = box.extent.depth;
  return plan;
}

/// Whether a box is of memory, not of CUDA arrays.
template <class Box>
CUresult is_of_memory(const Box* box) {
  if (box == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const bool has_array = box->srcArray != nullptr || box->dstArray != nullptr;
  return has_array ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
}

CUresult copy_box(const cudaMemcpy3DParms* box, CUstream stream, bool is_async) {
  const auto copy = [&] {
    const CUDA_MEMCPY3D plan = plan_of(*box, box->kind);
    return is_async ? cuMemcpy3DAsync_v2(&plan, stream)
                    : in_scope<cuMemcpy3D_v2>("cuMemcpy3D", &plan);
  };
  return in_turn([&] { return is_of_memory(box); }, [&] { return is_direction(box->kind); }, copy);
}

CUresult contexts_of(int to_device, int from_device, CUcontext& to, CUcontext& from) {
  return in_turn([&] { return primary_of(to_device, &to); },
                 [&] { return primary_of(from_device, &from); });
}

CUresult copy_box_of_peers(const cudaMemcpy3DPeerParms* box, CUstream stream, bool is_async) {
  CUcontext to = nullptr;
  CUcontext from = nullptr;
  const auto copy = [&] {
    CUDA_MEMCPY3D_PEER plan{plan_of(*box, cudaMemcpyDeviceToDevice)};
    plan.copy.reserved0 = from;
    plan.copy.reserved1 = to;
    return is_async ? cuMemcpy3DPeerAsync(&plan, stream)
                    : in_scope<cuMemcpy3DPeer>("cuMemcpy3DPeer", &plan);
  };
  return in_turn([&] { return is_of_memory(box); },
                 [&] { return contexts_of(box->dstDevice, box->srcDevice, to, from); }, copy);
}

CUresult fill(void* pointer, int value, std::size_t size, CUstream stream, bool is_async) {
  const auto byte = static_cast<unsigned char>(value);
  return is_async ? cuMemsetD8Async(address(pointer), byte, size, stream)
                  : in_scope<cuMemsetD8_v2>("cuMemsetD8", address(pointer), byte, size);
}

CUresult fill_rows(CUdeviceptr pointer, std::size_t pitch, int value, std::size_t width,
                   std::size_t height, CUstream stream, bool is_async) {
  const auto byte = static_cast<unsigned char>(value);
  return is_async ? cuMemsetD2D8Async(pointer, pitch, byte, width, height, stream)
                  : in_scope<cuMemsetD2D8_v2>("cuMemsetD2D8", pointer, pitch, byte, width, height);
}

CUresult fill_box(const cudaPitchedPtr& pointer, int value, const cudaExtent& extent,
                  CUstream stream, bool is_async) {
  for (std::size_t plane = 0; plane < extent.depth; ++plane) {
    const CUdeviceptr start = address(pointer.ptr) + plane * pointer.pitch * pointer.ysize;
    const CUresult result =
        fill_rows(start, pointer.pitch, value, extent.width, extent.height, stream, is_async);
    if (result != CUDA_SUCCESS) return result;
  }
  return CUDA_SUCCESS;
}

/// Memory that the driver does not know is no error: it is ordinary host memory.
CUresult describe(cudaPointerAttributes* target, const void* pointer) {
  if (target == nullptr) return CUDA_ERROR_INVALID_VALUE;
  unsigned type = 0;
  int is_managed = 0;
  int ordinal = 0;
  CUdeviceptr on_device = 0;
  void* on_host = nullptr;
  int attributes[] = {2, 8, 9, 3, 4};
  void* values[] = {&type, &is_managed, &ordinal, &on_device, &on_host};
  const CUresult result = cuPointerGetAttributes(5, attributes, values, address(pointer));
  if (result != CUDA_SUCCESS) return result;
  *target = {};
  target->device = ordinal;
  if (type == 0 || (on_device == 0 && on_host == nullptr)) {
    target->device = -2;
    target->hostPointer = const_cast<void*>(pointer);
    return CUDA_SUCCESS;
  }
  target->type = is_managed != 0 ? managed : type == registered_or_pinned ? host : device;
  target->devicePointer = reinterpret_cast<void*>(on_device);
  target->hostPointer = target->type == device ? nullptr : on_host;
  return CUDA_SUCCESS;
}

}  // namespace

CUDART_EXPORT cudaMalloc(void** pointer, std::size_t size) {
  return call([&] {
    if (pointer == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *pointer = nullptr;
    return size == 0 ? CUDA_SUCCESS : cuMemAlloc_v2(target(pointer), size);
  });
}

CUDART_EXPORT cudaMallocHost(void** pointer, std::size_t size) {
  return call([&] {
    if (pointer == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *pointer = nullptr;
    return size == 0 ? CUDA_SUCCESS : cuMemHostAlloc(pointer, size, 0);
  });
}

CUDART_EXPORT cudaHostAlloc(void** pointer, std::size_t size, unsigned flags) {
  return call([&] {
    if (pointer == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *pointer = nullptr;
    return size == 0 ? CUDA_SUCCESS : cuMemHostAlloc(pointer, size, flags);
  });
}

CUDART_EXPORT cudaMallocManaged(void** pointer, std::size_t size, unsigned flags) {
  return call([&] { return cuMemAllocManaged(target(pointer), size, flags); });
}

CUDART_EXPORT cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                              std::size_t height) {
  return call([&] { return cuMemAllocPitch_v2(target(pointer), pitch, width, height, 4); });
}

CUDART_EXPORT cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  return call([&] {
    if (pointer == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *pointer = {nullptr, 0, extent.width, extent.height};
    return cuMemAllocPitch_v2(target(&pointer->ptr), &pointer->pitch, extent.width,
                              extent.height * extent.depth, 4);
  });
}

CUDART_EXPORT cudaFree(void* pointer) {
  return call([&] { return pointer == nullptr ? CUDA_SUCCESS : cuMemFree_v2(address(pointer)); });
}

CUDART_EXPORT cudaFreeHost(void* pointer) {
  return call([&] { return pointer == nullptr ? CUDA_SUCCESS : cuMemFreeHost(pointer); });
}

CUDART_EXPORT cudaHostRegister(void* pointer, std::size_t size, unsigned flags) {
  return call([&] { return cuMemHostRegister_v2(pointer, size, flags); });
}

CUDART_EXPORT cudaHostUnregister(void* pointer) {
  return call([&] { return cuMemHostUnregister(pointer); });
}

CUDART_EXPORT cudaHostGetDevicePointer(void** on_device, void* pointer, unsigned flags) {
  return call([&] { return cuMemHostGetDevicePointer_v2(target(on_device), pointer, flags); });
}

CUDART_EXPORT cudaHostGetFlags(unsigned* flags, void* pointer) {
  return call([&] { return cuMemHostGetFlags(flags, pointer); });
}

CUDART_EXPORT cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total) {
  return call([&] { return cuMemGetInfo_v2(free_bytes, total); });
}

CUDART_EXPORT cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call([&] { return describe(attributes, pointer); });
}

CUDART_EXPORT cudaMemcpy(void* to, const void* from, std::size_t size, int kind) {
  return call([&] { return copy_row(to, from, size, kind, nullptr, false); });
}
CUDART_PER_THREAD(cudaMemcpy, _ptds, (void* to, const void* from, std::size_t size, int kind),
                  (to, from, size, kind))

CUDART_EXPORT cudaMemcpyAsync(void* to, const void* from, std::size_t size, int kind,
                              cudaStream_t stream) {
  return call([&] { return copy_row(to, from, size, kind, named(stream), true); });
}
CUDART_PER_THREAD(cudaMemcpyAsync, _ptsz,
                  (void* to, const void* from, std::size_t size, int kind, cudaStream_t stream),
                  (to, from, size, kind, stream))

CUDART_EXPORT cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                           std::size_t width, std::size_t height, int kind) {
  return call([&] {
    return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, nullptr, false);
  });
}
CUDART_PER_THREAD(cudaMemcpy2D, _ptds,
                  (void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                   std::size_t width, std::size_t height, int kind),
                  (to, to_pitch, from, from_pitch, width, height, kind))

CUDART_EXPORT cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                                std::size_t from_pitch, std::size_t width, std::size_t height,
                                int kind, cudaStream_t stream) {
  return call([&] {
    return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, named(stream), true);
  });
}
CUDART_PER_THREAD(cudaMemcpy2DAsync, _ptsz,
                  (void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                   std::size_t width, std::size_t height, int kind, cudaStream_t stream),
                  (to, to_pitch, from, from_pitch, width, height, kind, stream))

CUDART_EXPORT cudaMemcpy3D(const cudaMemcpy3DParms* box) {
  return call([&] { return copy_box(box, nullptr, false); });
}
CUDART_PER_THREAD(cudaMemcpy3D, _ptds, (const cudaMemcpy3DParms* box), (box))

CUDART_EXPORT cudaMemcpy3DAsync(const cudaMemcpy3DParms* box, cudaStream_t stream) {
  return call([&] { return copy_box(box, named(stream), true); });
}
CUDART_PER_THREAD(cudaMemcpy3DAsync, _ptsz, (const cudaMemcpy3DParms* box, cudaStream_t stream),
                  (box, stream))

CUDART_EXPORT cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* box) {
  return call([&] { return copy_box_of_peers(box, nullptr, false); });
}
CUDART_PER_THREAD(cudaMemcpy3DPeer, _ptds, (const cudaMemcpy3DPeerParms* box), (box))

CUDART_EXPORT cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* box, cudaStream_t stream) {
  return call([&] { return copy_box_of_peers(box, named(stream), true); });
}
CUDART_PER_THREAD(cudaMemcpy3DPeerAsync, _ptsz,
                  (const cudaMemcpy3DPeerParms* box, cudaStream_t stream), (box, stream))

CUDART_EXPORT cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                             std::size_t size) {
  return call([&] {
    CUcontext one = nullptr;
    CUcontext other = nullptr;
    return in_turn([&] { return contexts_of(to_device, from_device, one, other); },
                   [&] { return cuMemcpyPeer(address(to), one, address(from), other, size); });
  });
}

CUDART_EXPORT cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                  std::size_t size, cudaStream_t stream) {
  return call([&] {
    CUcontext one = nullptr;
    CUcontext other = nullptr;
    return in_turn([&] { return contexts_of(to_device, from_device, one, other); },
                   [&] {
                     return cuMemcpyPeerAsync(address(to), one, address(from), other, size,
                                              named(stream));
                   });
  });
}

CUDART_EXPORT cudaMemset(void* pointer, int value, std::size_t size) {
  return call([&] { return fill(pointer, value, size, nullptr, false); });
}
CUDART_PER_THREAD(cudaMemset, _ptds, (void* pointer, int value, std::size_t size),
                  (pointer, value, size))

CUDART_EXPORT cudaMemsetAsync(void* pointer, int value, std::size_t size, cudaStream_t stream) {
  return call([&] { return fill(pointer, value, size, named(stream), true); });
}
CUDART_PER_THREAD(cudaMemsetAsync, _ptsz,
                  (void* pointer, int value, std::size_t size, cudaStream_t stream),
                  (pointer, value, size, stream))

CUDART_EXPORT cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width,
                           std::size_t height) {
  return call(
      [&] { return fill_rows(address(pointer), pitch, value, width, height, nullptr, false); });
}
CUDART_PER_THREAD(cudaMemset2D, _ptds,
                  (void* pointer, std::size_t pitch, int value, std::size_t width,
                   std::size_t height),
                  (pointer, pitch, value, width, height))

CUDART_EXPORT cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                                std::size_t height, cudaStream_t stream) {
  return call([&] {
    return fill_rows(address(pointer), pitch, value, width, height, named(stream), true);
  });
}
CUDART_PER_THREAD(cudaMemset2DAsync, _ptsz,
                  (void* pointer, std::size_t pitch, int value, std::size_t width,
                   std::size_t height, cudaStream_t stream),
                  (pointer, pitch, value, width, height, stream))

CUDART_EXPORT cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return call([&] { return fill_box(pointer, value, extent, nullptr, false); });
}
CUDART_PER_THREAD(cudaMemset3D, _ptds, (cudaPitchedPtr pointer, int value, cudaExtent extent),
                  (pointer, value, extent))

CUDART_EXPORT cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
                                cudaStream_t stream) {
  return call([&] { return fill_box(pointer, value, extent, named(stream), true); });
}
CUDART_PER_THREAD(cudaMemset3DAsync, _ptsz,
                  (cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t stream),
                  (pointer, value, extent, stream))

#if CUDART_MAJOR < 13
CUDART_EXPORT cudaMemPrefetchAsync(const void* pointer, std::size_t size, int device,
                                   cudaStream_t stream) {
  return call([&] { return cuMemPrefetchAsync(address(pointer), size, device, named(stream)); });
}
CUDART_PER_THREAD(cudaMemPrefetchAsync, _ptsz,
                  (const void* pointer, std::size_t size, int device, cudaStream_t stream),
                  (pointer, size, device, stream))

CUDART_EXPORT cudaMemAdvise(const void* pointer, std::size_t size, int advice, int device) {
  return call([&] { return cuMemAdvise(address(pointer), size, advice, device); });
}
#else
CUDART_EXPORT cudaMemPrefetchAsync(const void* pointer, std::size_t size, CUmemLocation place,
                                   unsigned flags, cudaStream_t stream) {
  return call(
      [&] { return cuMemPrefetchAsync_v2(address(pointer), size, place, flags, named(stream)); });
}
CUDART_PER_THREAD(cudaMemPrefetchAsync, _ptsz,
                  (const void* pointer, std::size_t size, CUmemLocation place, unsigned flags,
                   cudaStream_t stream),
                  (pointer, size, place, flags, stream))

CUDART_EXPORT cudaMemAdvise(const void* pointer, std::size_t size, int advice,
                            CUmemLocation place) {
  return call([&] { return cuMemAdvise_v2(address(pointer), size, advice, place); });
}
#endif

CUDART_EXPORT cudaMemRangeGetAttribute(void* data, std::size_t size, int attribute,
                                       const void* pointer, std::size_t count) {
  return call(
      [&] { return cuMemRangeGetAttribute(data, size, attribute, address(pointer), count); });
}

CUDART_EXPORT cudaMemRangeGetAttributes(void** data, std::size_t* sizes, int* attributes,
                                        std::size_t attribute_count, const void* pointer,
                                        std::size_t count) {
  return call([&] {
    return cuMemRangeGetAttributes(data, sizes, attributes, attribute_count, address(pointer),
                                   count);
  });
}

CUDART_EXPORT cudaMallocAsync(void** pointer, std::size_t size, cudaStream_t stream) {
  return call([&] { return cuMemAllocAsync(target(pointer), size, named(stream)); });
}
CUDART_PER_THREAD(cudaMallocAsync, _ptsz, (void** pointer, std::size_t size, cudaStream_t stream),
                  (pointer, size, stream))

CUDART_EXPORT cudaMallocFromPoolAsync(void** pointer, std::size_t size, cudaMemPool_t pool,
                                      cudaStream_t stream) {
  return call([&] { return cuMemAllocFromPoolAsync(target(pointer), size, pool, named(stream)); });
}
CUDART_PER_THREAD(cudaMallocFromPoolAsync, _ptsz,
                  (void** pointer, std::size_t size, cudaMemPool_t pool, cudaStream_t stream),
                  (pointer, size, pool, stream))

CUDART_EXPORT cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return call([&] { return cuMemFreeAsync(address(pointer), named(stream)); });
}
CUDART_PER_THREAD(cudaFreeAsync, _ptsz, (void* pointer, cudaStream_t stream), (pointer, stream))

CUDART_EXPORT cudaMemPoolCreate(cudaMemPool_t* pool, const CUmemPoolProps* properties) {
  return call([&] { return cuMemPoolCreate(pool, properties); });
}

CUDART_EXPORT cudaMemPoolDestroy(cudaMemPool_t pool) {
  return call([&] { return cuMemPoolDestroy(pool); });
}

CUDART_EXPORT cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t kept) {
  return call([&] { return cuMemPoolTrimTo(pool, kept); });
}

CUDART_EXPORT cudaMemPoolSetAttribute(cudaMemPool_t pool, int attribute, void* value) {
  return call([&] { return cuMemPoolSetAttribute(pool, attribute, value); });
}

CUDART_EXPORT cudaMemPoolGetAttribute(cudaMemPool_t pool, int attribute, void* value) {
  return call([&] { return cuMemPoolGetAttribute(pool, attribute, value); });
}

CUDART_EXPORT cudaMemPoolSetAccess(cudaMemPool_t pool, const CUmemAccessDesc* rows,
                                   std::size_t count) {
  return call([&] { return cuMemPoolSetAccess(pool, rows, count); });
}

CUDART_EXPORT cudaMemPoolGetAccess(int* flags, cudaMemPool_t pool, CUmemLocation* place) {
  return call([&] { return cuMemPoolGetAccess(flags, pool, place); });
}

CUDART_EXPORT cudaMemPoolExportToShareableHandle(void* handle, cudaMemPool_t pool, int type,
                                                 unsigned flags) {
  return call([&] { return cuMemPoolExportToShareableHandle(handle, pool, type, flags); });
}

CUDART_EXPORT cudaMemPoolImportFromShareableHandle(cudaMemPool_t* pool, void* handle, int type,
                                                   unsigned flags) {
  return call([&] { return cuMemPoolImportFromShareableHandle(pool, handle, type, flags); });
}

CUDART_EXPORT cudaMemPoolExportPointer(CUmemPoolPtrExportData* data, void* pointer) {
  return call([&] { return cuMemPoolExportPointer(data, address(pointer)); });
}

CUDART_EXPORT cudaMemPoolImportPointer(void** pointer, cudaMemPool_t pool,
                                       CUmemPoolPtrExportData* data) {
  return call([&] { return cuMemPoolImportPointer(target(pointer), pool, data); });
}

CUDART_EXPORT cudaIpcGetMemHandle(CUipcMemHandle* handle, void* pointer) {
  return call([&] { return cuIpcGetMemHandle(handle, address(pointer)); });
}

CUDART_EXPORT cudaIpcOpenMemHandle(void** pointer, CUipcMemHandle handle, unsigned flags) {
  return call([&] { return cuIpcOpenMemHandle_v2(target(pointer), handle, flags); });
}

CUDART_EXPORT cudaIpcCloseMemHandle(void* pointer) {
  return call([&] { return cuIpcCloseMemHandle(address(pointer)); });
}
