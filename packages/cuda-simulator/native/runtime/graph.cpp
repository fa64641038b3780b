#include "state.hpp"

// Graphs. What takes parameters of nodes in the runtime's own structures refuses.

using namespace array_interface::cuda_runtime;

CUDART_EXPORT cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return call([&] { return cuGraphCreate(graph, flags); });
}

CUDART_EXPORT cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return call([&] { return cuGraphClone(clone, graph); });
}

CUDART_EXPORT cudaGraphDestroy(cudaGraph_t graph) {
  return call([&] { return cuGraphDestroy(graph); });
}

CUDART_EXPORT cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return call([&] { return cuGraphGetNodes(graph, nodes, count); });
}

CUDART_EXPORT cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return call([&] { return cuGraphGetRootNodes(graph, nodes, count); });
}

CUDART_EXPORT cudaGraphNodeGetType(cudaGraphNode_t node, int* type) {
  return call([&] { return cuGraphNodeGetType(node, type); });
}

CUDART_EXPORT cudaGraphNodeFindInClone(cudaGraphNode_t* clone, cudaGraphNode_t node,
                                       cudaGraph_t graph) {
  return call([&] { return cuGraphNodeFindInClone(clone, node, graph); });
}

CUDART_EXPORT cudaGraphDestroyNode(cudaGraphNode_t node) {
  return call([&] { return cuGraphDestroyNode(node); });
}

CUDART_EXPORT cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* needs, std::size_t count) {
  return call([&] { return cuGraphAddEmptyNode(node, graph, needs, count); });
}

CUDART_EXPORT cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                         const cudaGraphNode_t* needs, std::size_t count,
                                         cudaGraph_t child) {
  return call([&] { return cuGraphAddChildGraphNode(node, graph, needs, count, child); });
}

CUDART_EXPORT cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* needs, std::size_t count,
                                   const CUDA_HOST_NODE_PARAMS* parameters) {
  return call([&] { return cuGraphAddHostNode(node, graph, needs, count, parameters); });
}

CUDART_EXPORT cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                          const cudaGraphNode_t* needs, std::size_t count,
                                          cudaEvent_t event) {
  return call([&] { return cuGraphAddEventRecordNode(node, graph, needs, count, event); });
}

CUDART_EXPORT cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* needs, std::size_t count,
                                        cudaEvent_t event) {
  return call([&] { return cuGraphAddEventWaitNode(node, graph, needs, count, event); });
}

CUDART_EXPORT cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                       const cudaGraphNode_t* to,
#if CUDART_MAJOR >= 13
                                       const CUgraphEdgeData* edges,
#endif
                                       std::size_t count) {
#if CUDART_MAJOR >= 13
  return call([&] { return cuGraphAddDependencies_v2(graph, from, to, edges, count); });
#else
  return call([&] { return cuGraphAddDependencies(graph, from, to, count); });
#endif
}

CUDART_EXPORT cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                   unsigned long long flags) {
  return call([&] { return cuGraphInstantiateWithFlags(executable, graph, flags); });
}

CUDART_EXPORT cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                            unsigned long long flags) {
  return call([&] { return cuGraphInstantiateWithFlags(executable, graph, flags); });
}

CUDART_EXPORT cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                             CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  if (parameters == nullptr) return note(cudaErrorInvalidValue);
  return call([&] { return cuGraphInstantiateWithParams(executable, graph, parameters); });
}
CUDART_PER_THREAD(cudaGraphInstantiateWithParams, _ptsz,
                  (cudaGraphExec_t * executable, cudaGraph_t graph,
                   CUDA_GRAPH_INSTANTIATE_PARAMS* parameters),
                  (executable, graph, parameters))

CUDART_EXPORT cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return call([&] { return cuGraphUpload(executable, named(stream)); });
}
CUDART_PER_THREAD(cudaGraphUpload, _ptsz, (cudaGraphExec_t executable, cudaStream_t stream),
                  (executable, stream))

CUDART_EXPORT cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return call([&] { return cuGraphLaunch(executable, named(stream)); });
}
CUDART_PER_THREAD(cudaGraphLaunch, _ptsz, (cudaGraphExec_t executable, cudaStream_t stream),
                  (executable, stream))

CUDART_EXPORT cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return call([&] { return cuGraphExecDestroy(executable); });
}

CUDART_EXPORT cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long* flags) {
  return call([&] { return cuGraphExecGetFlags(executable, flags); });
}

CUDART_EXPORT cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                  CUgraphExecUpdateResultInfo* result) {
  return call([&] { return cuGraphExecUpdate_v2(executable, graph, result); });
}

CUDART_EXPORT cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned flags) {
  return call([&] { return cuGraphDebugDotPrint(graph, path, flags); });
}

CUDART_EXPORT cudaUserObjectCreate(CUuserObject* object, void* pointer, CUhostFn end,
                                   unsigned count, unsigned flags) {
  return call([&] { return cuUserObjectCreate(object, pointer, end, count, flags); });
}

CUDART_EXPORT cudaUserObjectRetain(CUuserObject object, unsigned count) {
  return call([&] { return cuUserObjectRetain(object, count); });
}

CUDART_EXPORT cudaUserObjectRelease(CUuserObject object, unsigned count) {
  return call([&] { return cuUserObjectRelease(object, count); });
}

CUDART_EXPORT cudaGraphRetainUserObject(cudaGraph_t graph, CUuserObject object, unsigned count,
                                        unsigned flags) {
  return call([&] { return cuGraphRetainUserObject(graph, object, count, flags); });
}

CUDART_EXPORT cudaGraphReleaseUserObject(cudaGraph_t graph, CUuserObject object, unsigned count) {
  return call([&] { return cuGraphReleaseUserObject(graph, object, count); });
}
