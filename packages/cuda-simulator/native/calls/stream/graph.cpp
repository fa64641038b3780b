#include <algorithm>
#include <vector>

#include "base/driver_api.hpp"
#include "base/handle_table.hpp"
#include "driver/call.hpp"
#include "state/capture.hpp"

using namespace array_interface::cuda_simulator;

namespace {

/// Instantiated graphs that can be launched, each a snapshot of the graph at that time.
HandleTable<Graph, CUgraphExec>& executables() {
  return immortal<HandleTable<Graph, CUgraphExec>, 0x6E, CUDA_ERROR_INVALID_VALUE>();
}

/// Returns a handle that only tells the nodes of a graph apart. Nothing can be looked up by it.
CUgraphNode node_handle(CUgraph graph, std::size_t index) {
  return reinterpret_cast<CUgraphNode>((reinterpret_cast<std::uintptr_t>(graph) << 16) + index + 1);
}

CUresult begin(const char* symbol, CUstream stream, int mode) {
  return context_call(symbol,
                      [&](Context& context) { begin_capture(find_stream(stream, context), mode); });
}

CUresult instantiate(const char* symbol, CUgraphExec* executable, CUgraph graph) {
  return context_value(symbol, executable, [&](Context&) {
    return executables().add(std::make_shared<Graph>(*graphs().get(graph)));
  });
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

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, std::size_t* count) {
  return driver_call(__func__, [&] {
    require(count != nullptr);
    const std::size_t all = graphs().get(graph)->nodes.size();
    if (nodes == nullptr) {
      *count = all;
      return;
    }
    for (std::size_t index = 0; index < *count; ++index) {
      nodes[index] = index < all ? node_handle(graph, index) : nullptr;
    }
    *count = std::min(*count, all);
  });
}

CUresult cuGraphInstantiate(CUgraphExec* executable, CUgraph graph, CUgraphNode* error, char*,
                            std::size_t) {
  if (error != nullptr) *error = nullptr;
  return instantiate(__func__, executable, graph);
}

CUresult cuGraphInstantiate_v2(CUgraphExec* executable, CUgraph graph, CUgraphNode* error, char*,
                               std::size_t) {
  if (error != nullptr) *error = nullptr;
  return instantiate(__func__, executable, graph);
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph, unsigned long long) {
  return instantiate(__func__, executable, graph);
}

CUresult cuGraphInstantiateWithParams(CUgraphExec* executable, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  const CUresult result = instantiate(__func__, executable, graph);
  if (parameters == nullptr) return result;
  parameters->hErrNode_out = nullptr;
  parameters->result_out = result == CUDA_SUCCESS ? 0 : 1;
  return result;
}

CUresult cuGraphUpload(CUgraphExec executable, CUstream stream) {
  return context_call(__func__, [&](Context& context) {
    find_stream(stream, context);
    executables().get(executable);
  });
}

/// Runs one node after another, so nodes without an order among themselves are ordered here.
CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  return context_call(__func__, [&](Context& context) {
    const auto graph = executables().get(executable);
    const auto queue = find_stream(stream, context);
    for (const GraphNode& node : graph->nodes) {
      schedule().enqueue(*queue, node.work, {}, node.kind);
    }
  });
}

CUresult cuGraphExecDestroy(CUgraphExec executable) {
  return driver_call(__func__, [&] { executables().take(executable); });
}
