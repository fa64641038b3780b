#include "state/capture.hpp"

#include <vector>

#include "base/driver_api.hpp"
#include "calls/graph/node.hpp"
#include "driver/call.hpp"

using namespace array_interface::cuda_simulator;

namespace {

CUresult begin(const char* symbol, CUstream stream, int mode) {
  return context_call(symbol,
                      [&](Context& context) { begin_capture(find_stream(stream, context), mode); });
}

CUresult tell(const char* symbol, CUstream stream, int* status, std::uint64_t* id, CUgraph* graph,
              const CUgraphNode** needs, std::size_t* count) {
  return context_call(symbol, [&](Context& context) {
    require(status != nullptr);
    const auto queue = find_stream(stream, context);
    const CaptureInfo info = capture_info(*queue);
    *status = info.status;
    if (id != nullptr) *id = info.id;
    if (graph != nullptr) *graph = info.graph;
    thread_local std::vector<CUgraphNode> nodes;  // valid until the thread's next call
    nodes.clear();
    for (const std::size_t node : info.needs) nodes.push_back(node_handle(info.graph, node));
    if (needs != nullptr) *needs = nodes.data();
    if (count != nullptr) *count = nodes.size();
  });
}

/// Flags: 0 adds to the dependencies, 1 replaces them.
CUresult update_needs(const char* symbol, CUstream stream, const CUgraphNode* needs,
                      std::size_t count, unsigned flags) {
  return context_call(symbol, [&](Context& context) {
    require(flags <= 1);
    const auto queue = find_stream(stream, context);
    const CaptureInfo info = capture_info(*queue);
    require(info.status != 0, CUDA_ERROR_ILLEGAL_STATE);
    set_capture_needs(*queue, numbers_of(info.graph, needs, count), flags == 0);
  });
}

}  // namespace

CUresult cuStreamBeginCapture(CUstream stream) { return begin(__func__, stream, 0); }

CUresult cuStreamBeginCapture_v2(CUstream stream, int mode) {
  return begin(__func__, stream, mode);
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return context_call(__func__, [&](Context& context) {
    require(graph != nullptr);
    *graph = nullptr;
    *graph = end_capture(*find_stream(stream, context));
  });
}

CUresult cuStreamIsCapturing(CUstream stream, int* status) {
  return tell(__func__, stream, status, nullptr, nullptr, nullptr, nullptr);
}

CUresult cuStreamGetCaptureInfo(CUstream stream, int* status, std::uint64_t* id) {
  return tell(__func__, stream, status, id, nullptr, nullptr, nullptr);
}

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, int* status, std::uint64_t* id, CUgraph* graph,
                                   const CUgraphNode** needs, std::size_t* count) {
  return tell(__func__, stream, status, id, graph, needs, count);
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, int* status, std::uint64_t* id, CUgraph* graph,
                                   const CUgraphNode** needs, const void** edges,
                                   std::size_t* count) {
  if (edges != nullptr) *edges = nullptr;
  return tell(__func__, stream, status, id, graph, needs, count);
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode* needs,
                                     const CUgraphEdgeData* edges, std::size_t count, int mode) {
  return context_call(__func__, [&](Context& context) {
    require_plain(edges, count);
    begin_capture(find_stream(stream, context), mode, graph, numbers_of(graph, needs, count));
  });
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, const CUgraphNode* needs,
                                           std::size_t count, unsigned flags) {
  return update_needs(__func__, stream, needs, count, flags);
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, const CUgraphNode* needs,
                                              const CUgraphEdgeData* edges, std::size_t count,
                                              unsigned flags) {
  if (edges != nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  return update_needs(__func__, stream, needs, count, flags);
}

CUresult cuThreadExchangeStreamCaptureMode(int* mode) {
  return driver_call(__func__, [&] {
    require(mode != nullptr);
    *mode = exchange_capture_mode(*mode);
  });
}

CUresult cuGraphCreate(CUgraph* graph, unsigned flags) {
  return driver_value(__func__, graph, [&] {
    require(flags == 0);
    return graphs().add(std::make_shared<Graph>());
  });
}

CUresult cuGraphClone(CUgraph* clone, CUgraph graph) {
  return driver_value(__func__, clone,
                      [&] { return graphs().add(std::make_shared<Graph>(*graphs().get(graph))); });
}

CUresult cuGraphDestroy(CUgraph graph) {
  return driver_call(__func__, [&] { graphs().take(graph); });
}
