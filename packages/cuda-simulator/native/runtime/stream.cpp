#include "state.hpp"

using namespace array_interface::cuda_runtime;

CUDART_EXPORT cudaStreamCreate(cudaStream_t* stream) {
  return call([&] { return cuStreamCreate(stream, 0); });
}

CUDART_EXPORT cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return call([&] { return cuStreamCreate(stream, flags); });
}

CUDART_EXPORT cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return call([&] { return cuStreamCreateWithPriority(stream, flags, priority); });
}

CUDART_EXPORT cudaStreamDestroy(cudaStream_t stream) {
  return call([&] { return cuStreamDestroy_v2(stream); });
}

CUDART_EXPORT cudaStreamSynchronize(cudaStream_t stream) {
  return call([&] { return cuStreamSynchronize(named(stream)); });
}
CUDART_PER_THREAD(cudaStreamSynchronize, _ptsz, (cudaStream_t stream), (stream))

CUDART_EXPORT cudaStreamQuery(cudaStream_t stream) {
  return call([&] { return cuStreamQuery(named(stream)); });
}
CUDART_PER_THREAD(cudaStreamQuery, _ptsz, (cudaStream_t stream), (stream))

CUDART_EXPORT cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return call([&] { return cuStreamWaitEvent(named(stream), event, flags); });
}
CUDART_PER_THREAD(cudaStreamWaitEvent, _ptsz,
                  (cudaStream_t stream, cudaEvent_t event, unsigned flags), (stream, event, flags))

CUDART_EXPORT cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return call([&] { return cuStreamGetFlags(named(stream), flags); });
}
CUDART_PER_THREAD(cudaStreamGetFlags, _ptsz, (cudaStream_t stream, unsigned* flags),
                  (stream, flags))

CUDART_EXPORT cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return call([&] { return cuStreamGetPriority(named(stream), priority); });
}
CUDART_PER_THREAD(cudaStreamGetPriority, _ptsz, (cudaStream_t stream, int* priority),
                  (stream, priority))

CUDART_EXPORT cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return call([&] { return cuStreamGetId(named(stream), id); });
}
CUDART_PER_THREAD(cudaStreamGetId, _ptsz, (cudaStream_t stream, unsigned long long* id),
                  (stream, id))

CUDART_EXPORT cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return call([&] { return cuStreamGetDevice(named(stream), device); });
}
CUDART_PER_THREAD(cudaStreamGetDevice, _ptsz, (cudaStream_t stream, int* device), (stream, device))

CUDART_EXPORT cudaStreamGetAttribute(cudaStream_t stream, int attribute, void* value) {
  return call([&] { return cuStreamGetAttribute(named(stream), attribute, value); });
}
CUDART_PER_THREAD(cudaStreamGetAttribute, _ptsz, (cudaStream_t stream, int attribute, void* value),
                  (stream, attribute, value))

CUDART_EXPORT cudaStreamSetAttribute(cudaStream_t stream, int attribute, const void* value) {
  return call([&] { return cuStreamSetAttribute(named(stream), attribute, value); });
}
CUDART_PER_THREAD(cudaStreamSetAttribute, _ptsz,
                  (cudaStream_t stream, int attribute, const void* value),
                  (stream, attribute, value))

CUDART_EXPORT cudaStreamCopyAttributes(cudaStream_t destination, cudaStream_t source) {
  return call([&] { return cuStreamCopyAttributes(named(destination), named(source)); });
}
CUDART_PER_THREAD(cudaStreamCopyAttributes, _ptsz, (cudaStream_t destination, cudaStream_t source),
                  (destination, source))

CUDART_EXPORT cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t length,
                                       unsigned flags) {
  return call(
      [&] { return cuStreamAttachMemAsync(named(stream), address(pointer), length, flags); });
}
CUDART_PER_THREAD(cudaStreamAttachMemAsync, _ptsz,
                  (cudaStream_t stream, void* pointer, std::size_t length, unsigned flags),
                  (stream, pointer, length, flags))

/// The callback's status is an error of the runtime, which has the driver's number.
CUDART_EXPORT cudaStreamAddCallback(cudaStream_t stream, CUstreamCallback callback, void* user_data,
                                    unsigned flags) {
  return call([&] { return cuStreamAddCallback(named(stream), callback, user_data, flags); });
}
CUDART_PER_THREAD(cudaStreamAddCallback, _ptsz,
                  (cudaStream_t stream, CUstreamCallback callback, void* user_data, unsigned flags),
                  (stream, callback, user_data, flags))

CUDART_EXPORT cudaLaunchHostFunc(cudaStream_t stream, CUhostFn function, void* user_data) {
  return call([&] { return cuLaunchHostFunc(named(stream), function, user_data); });
}
CUDART_PER_THREAD(cudaLaunchHostFunc, _ptsz,
                  (cudaStream_t stream, CUhostFn function, void* user_data),
                  (stream, function, user_data))

CUDART_EXPORT cudaStreamBeginCapture(cudaStream_t stream, int mode) {
  return call([&] { return cuStreamBeginCapture_v2(named(stream), mode); });
}
CUDART_PER_THREAD(cudaStreamBeginCapture, _ptsz, (cudaStream_t stream, int mode), (stream, mode))

CUDART_EXPORT cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                            const cudaGraphNode_t* needs,
                                            const CUgraphEdgeData* edges, std::size_t count,
                                            int mode) {
  return call(
      [&] { return cuStreamBeginCaptureToGraph(named(stream), graph, needs, edges, count, mode); });
}
CUDART_PER_THREAD(cudaStreamBeginCaptureToGraph, _ptsz,
                  (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* needs,
                   const CUgraphEdgeData* edges, std::size_t count, int mode),
                  (stream, graph, needs, edges, count, mode))

CUDART_EXPORT cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call([&] { return cuStreamEndCapture(named(stream), graph); });
}
CUDART_PER_THREAD(cudaStreamEndCapture, _ptsz, (cudaStream_t stream, cudaGraph_t* graph),
                  (stream, graph))

CUDART_EXPORT cudaStreamIsCapturing(cudaStream_t stream, int* status) {
  return call([&] { return cuStreamIsCapturing(named(stream), status); });
}
CUDART_PER_THREAD(cudaStreamIsCapturing, _ptsz, (cudaStream_t stream, int* status),
                  (stream, status))

#if CUDART_MAJOR < 13
CUDART_EXPORT cudaStreamGetCaptureInfo(cudaStream_t stream, int* status, std::uint64_t* id) {
  return call([&] { return cuStreamGetCaptureInfo(named(stream), status, id); });
}
CUDART_PER_THREAD(cudaStreamGetCaptureInfo, _ptsz,
                  (cudaStream_t stream, int* status, std::uint64_t* id), (stream, status, id))

CUDART_EXPORT cudaStreamGetCaptureInfo_v2(cudaStream_t stream, int* status, std::uint64_t* id,
                                          cudaGraph_t* graph, const cudaGraphNode_t** needs,
                                          std::size_t* count) {
  return call(
      [&] { return cuStreamGetCaptureInfo_v2(named(stream), status, id, graph, needs, count); });
}
CUDART_PER_THREAD(cudaStreamGetCaptureInfo_v2, _ptsz,
                  (cudaStream_t stream, int* status, std::uint64_t* id, cudaGraph_t* graph,
                   const cudaGraphNode_t** needs, std::size_t* count),
                  (stream, status, id, graph, needs, count))

CUDART_EXPORT cudaStreamUpdateCaptureDependencies(cudaStream_t stream, const cudaGraphNode_t* needs,
                                                  std::size_t count, unsigned flags) {
  return call(
      [&] { return cuStreamUpdateCaptureDependencies(named(stream), needs, count, flags); });
}
CUDART_PER_THREAD(cudaStreamUpdateCaptureDependencies, _ptsz,
                  (cudaStream_t stream, const cudaGraphNode_t* needs, std::size_t count,
                   unsigned flags),
                  (stream, needs, count, flags))
#else
CUDART_EXPORT cudaStreamGetCaptureInfo(cudaStream_t stream, int* status, std::uint64_t* id,
                                       cudaGraph_t* graph, const cudaGraphNode_t** needs,
                                       const void** edges, std::size_t* count) {
  return call([&] {
    return cuStreamGetCaptureInfo_v3(named(stream), status, id, graph, needs, edges, count);
  });
}
CUDART_PER_THREAD(cudaStreamGetCaptureInfo, _ptsz,
                  (cudaStream_t stream, int* status, std::uint64_t* id, cudaGraph_t* graph,
                   const cudaGraphNode_t** needs, const void** edges, std::size_t* count),
                  (stream, status, id, graph, needs, edges, count))

CUDART_EXPORT cudaStreamUpdateCaptureDependencies(cudaStream_t stream, const cudaGraphNode_t* needs,
                                                  const CUgraphEdgeData* edges, std::size_t count,
                                                  unsigned flags) {
  return call([&] {
    return cuStreamUpdateCaptureDependencies_v2(named(stream), needs, edges, count, flags);
  });
}
CUDART_PER_THREAD(cudaStreamUpdateCaptureDependencies, _ptsz,
                  (cudaStream_t stream, const cudaGraphNode_t* needs, const CUgraphEdgeData* edges,
                   std::size_t count, unsigned flags),
                  (stream, needs, edges, count, flags))
#endif

CUDART_EXPORT cudaThreadExchangeStreamCaptureMode(int* mode) {
  return call([&] { return cuThreadExchangeStreamCaptureMode(mode); });
}

CUDART_EXPORT cudaEventCreate(cudaEvent_t* event) {
  return call([&] { return cuEventCreate(event, 0); });
}

CUDART_EXPORT cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call([&] { return cuEventCreate(event, flags); });
}

CUDART_EXPORT cudaEventDestroy(cudaEvent_t event) {
  return call([&] { return cuEventDestroy_v2(event); });
}

CUDART_EXPORT cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call([&] { return cuEventRecord(event, named(stream)); });
}
CUDART_PER_THREAD(cudaEventRecord, _ptsz, (cudaEvent_t event, cudaStream_t stream), (event, stream))

CUDART_EXPORT cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return call([&] { return cuEventRecordWithFlags(event, named(stream), flags); });
}
CUDART_PER_THREAD(cudaEventRecordWithFlags, _ptsz,
                  (cudaEvent_t event, cudaStream_t stream, unsigned flags), (event, stream, flags))

CUDART_EXPORT cudaEventQuery(cudaEvent_t event) {
  return call([&] { return cuEventQuery(event); });
}

CUDART_EXPORT cudaEventSynchronize(cudaEvent_t event) {
  return call([&] { return cuEventSynchronize(event); });
}

CUDART_EXPORT cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call([&] { return cuEventElapsedTime(milliseconds, start, end); });
}

CUDART_EXPORT cudaIpcGetEventHandle(CUipcEventHandle* handle, cudaEvent_t event) {
  return call([&] { return cuIpcGetEventHandle(handle, event); });
}

CUDART_EXPORT cudaIpcOpenEventHandle(cudaEvent_t* event, CUipcEventHandle handle) {
  return call([&] { return cuIpcOpenEventHandle(event, handle); });
}
