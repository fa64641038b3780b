#include <cstring>

#include "base/driver_api.hpp"
#include "memory/allocation_table.hpp"
#include "memory/graph_memory.hpp"
#include "node.hpp"
#include "state/event.hpp"

// Nodes without work of their own: none, graphs, events; and those that allocate and free.

using namespace array_interface::cuda_simulator;

namespace {

CUresult tell_event(const char* symbol, CUgraphNode handle, WorkKind kind, CUevent* event) {
  return driver_value(symbol, event, [&] {
    const GraphNode& node = find_node(handle).node();
    require(node.kind == kind);
    return events().handle_of(node.event);
  });
}

/// A node of the kind that `parameters` names.
GraphNode node_of(CUgraphNodeParams& parameters, Context& context) {
  switch (static_cast<WorkKind>(parameters.type)) {
    case WorkKind::kernel:
      return kernel_node(parameters.kernel, context);
    case WorkKind::copy:
      return copy_node(parameters.memcpy.copyParams);
    case WorkKind::fill:
      return fill_node(parameters.memset);
    case WorkKind::host_function:
      return host_node(parameters.host);
    case WorkKind::graph:
      return child_node(parameters.graph.graph);
    case WorkKind::mark:
      return GraphNode();
    case WorkKind::wait_event:
    case WorkKind::record_event:
      return event_node(parameters.event, static_cast<WorkKind>(parameters.type));
    case WorkKind::allocation:
      return allocation_node(parameters.alloc);
    case WorkKind::release:
      return release_node(parameters.free);
    case WorkKind::memory_operations:
      return memory_operations_node(parameters.memOp, context);
    default:
      throw Failure{CUDA_ERROR_NOT_SUPPORTED};  // external semaphores, conditions
  }
}

CUgraphNodeParams& known(CUgraphNodeParams* parameters) {
  require(parameters != nullptr);
  return *parameters;
}

/// The parameters of a node, in the form that takes all kinds.
CUgraphNodeParams whole_parameters(CUgraphNode handle) {
  const GraphNode& node = find_node(handle).node();
  CUgraphNodeParams whole{};
  whole.type = static_cast<int>(node.kind);
  const auto put = [&](auto& target) {
    const auto* const given = std::any_cast<std::decay_t<decltype(target)>>(&node.parameters);
    require(given != nullptr, CUDA_ERROR_NOT_SUPPORTED);
    target = *given;
  };
  switch (node.kind) {
    case WorkKind::kernel:
      whole.kernel = kernel_parameters(handle);
      break;
    case WorkKind::copy:
      put(whole.memcpy.copyParams);
      break;
    case WorkKind::fill:
      put(whole.memset);
      break;
    case WorkKind::host_function:
      put(whole.host);
      break;
    case WorkKind::graph:
      whole.graph.graph = node.child_handle;
      break;
    case WorkKind::wait_event:
    case WorkKind::record_event:
      whole.event = events().handle_of(node.event);
      break;
    case WorkKind::allocation:
      put(whole.alloc);
      break;
    case WorkKind::release:
      put(whole.free);
      break;
    case WorkKind::memory_operations:
      whole.memOp = memory_operations_parameters(handle);
      break;
    default:
      break;
  }
  return whole;
}

CUresult set_whole(const char* symbol, CUgraphNode node, CUgraphNodeParams* parameters) {
  return context_call(symbol, [&](Context& context) {
    GraphNode& old = find_node(node).node();
    require(static_cast<int>(old.kind) == known(parameters).type);
    replace(old, node_of(*parameters, context));
  });
}

}  // namespace

namespace array_interface::cuda_simulator {

GraphNode child_node(CUgraph graph) {
  GraphNode node;
  node.kind = WorkKind::graph;
  node.child = std::make_shared<Graph>(*graphs().get(graph));
  node.child_handle = graphs().add(node.child);
  return node;
}

GraphNode event_node(CUevent event, WorkKind kind) {
  GraphNode node;
  node.kind = kind;
  node.event = events().get(event);
  return node;
}

GraphNode allocation_node(CUDA_MEM_ALLOC_NODE_PARAMS& parameters) {
  const CUmemLocation& location = parameters.poolProps.location;
  require(parameters.bytesize != 0 && location.type == CU_MEM_LOCATION_TYPE_DEVICE);
  const AllocationPtr made = allocations().make_pooled(
      Allocation::Kind::device, context_of(location.id).device, nullptr, parameters.bytesize);
  require(made != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  parameters.dptr = made->start();
  GraphNode node;
  node.kind = WorkKind::allocation;
  node.work = [memory = std::make_shared<GraphMemory>(made)] {
    memory->memory->usable = true;
    return CUDA_SUCCESS;
  };
  node.parameters = parameters;
  return node;
}

GraphNode release_node(CUdeviceptr pointer) {
  const AllocationPtr memory = allocations().starting_at(pointer);
  require(memory != nullptr && memory->source == Allocation::Source::pool);
  GraphNode node;
  node.kind = WorkKind::release;
  node.work = [memory] {
    memory->usable = false;
    return CUDA_SUCCESS;
  };
  node.parameters = pointer;
  return node;
}

}  // namespace array_interface::cuda_simulator

CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needs,
                             std::size_t count) {
  return add_node(__func__, node, graph, needs, count, [](Context&) { return GraphNode(); });
}

CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needs,
                                  std::size_t count, CUgraph child) {
  return add_node(__func__, node, graph, needs, count, [&](Context&) { return child_node(child); });
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode handle, CUgraph* graph) {
  return driver_value(__func__, graph, [&] {
    const GraphNode& node = find_node(handle).node();
    require(node.kind == WorkKind::graph);
    return node.child_handle;
  });
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                            CUgraph child) {
  return set_in(__func__, executable, node, WorkKind::graph,
                [&](Context&) { return child_node(child); });
}

CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needs,
                                   std::size_t count, CUevent event) {
  return add_node(__func__, node, graph, needs, count,
                  [&](Context&) { return event_node(event, WorkKind::record_event); });
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) {
  return tell_event(__func__, node, WorkKind::record_event, event);
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return set_node(__func__, node, WorkKind::record_event,
                  [&](Context&) { return event_node(event, WorkKind::record_event); });
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec executable, CUgraphNode node,
                                            CUevent event) {
  return set_in(__func__, executable, node, WorkKind::record_event,
                [&](Context&) { return event_node(event, WorkKind::record_event); });
}

CUresult cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needs,
                                 std::size_t count, CUevent event) {
  return add_node(__func__, node, graph, needs, count,
                  [&](Context&) { return event_node(event, WorkKind::wait_event); });
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) {
  return tell_event(__func__, node, WorkKind::wait_event, event);
}

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return set_node(__func__, node, WorkKind::wait_event,
                  [&](Context&) { return event_node(event, WorkKind::wait_event); });
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec executable, CUgraphNode node, CUevent event) {
  return set_in(__func__, executable, node, WorkKind::wait_event,
                [&](Context&) { return event_node(event, WorkKind::wait_event); });
}

CUresult cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needs,
                                std::size_t count, CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return add_node(__func__, node, graph, needs, count, [&](Context&) {
    require(parameters != nullptr);
    return allocation_node(*parameters);
  });
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return driver_value(__func__, parameters, [&] {
    return parameters_of<CUDA_MEM_ALLOC_NODE_PARAMS>(node, WorkKind::allocation);
  });
}

CUresult cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needs,
                               std::size_t count, CUdeviceptr pointer) {
  return add_node(__func__, node, graph, needs, count,
                  [&](Context&) { return release_node(pointer); });
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* pointer) {
  return driver_value(__func__, pointer,
                      [&] { return parameters_of<CUdeviceptr>(node, WorkKind::release); });
}

CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needs,
                        std::size_t count, CUgraphNodeParams* parameters) {
  return add_node(__func__, node, graph, needs, count,
                  [&](Context& context) { return node_of(known(parameters), context); });
}

CUresult cuGraphAddNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* needs,
                           const CUgraphEdgeData* edges, std::size_t count,
                           CUgraphNodeParams* parameters) {
  return add_node(__func__, node, graph, needs, count, [&](Context& context) {
    require_plain(edges, count);
    return node_of(known(parameters), context);
  });
}

CUresult cuGraphAddNode_v3(CUgraphNode* node, CUgraph graph, const CUgraphNode* needs,
                           const CUgraphEdgeData* edges, std::size_t count,
                           CUgraphNodeParams* parameters) {
  return cuGraphAddNode_v2(node, graph, needs, edges, count, parameters);
}

CUresult cuGraphNodeGetParams(CUgraphNode node, CUgraphNodeParams* parameters) {
  return driver_value(__func__, parameters, [&] { return whole_parameters(node); });
}

CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* parameters) {
  return set_whole(__func__, node, parameters);
}

CUresult cuGraphNodeSetParams_v2(CUgraphNode node, CUgraphNodeParams* parameters) {
  return set_whole(__func__, node, parameters);
}

CUresult cuGraphExecNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                  CUgraphNodeParams* parameters) {
  return context_call(__func__, [&](Context& context) {
    const auto kind = static_cast<WorkKind>(known(parameters).type);
    const auto found = executables().get(executable);
    replace(node_in(*found, node, kind), node_of(*parameters, context));
  });
}
