#pragma once

#include <utility>

#include "base/handle_table.hpp"
#include "driver/call.hpp"
#include "state/graph.hpp"

namespace array_interface::cuda_simulator {

/// An instantiated graph: a snapshot of the graph at that time.
struct Executable {
  explicit Executable(const Graph& source) : graph(source) {}

  Graph graph;
  unsigned long long flags = 0;
};

inline HandleTable<Executable, CUgraphExec>& executables() {
  return immortal<HandleTable<Executable, CUgraphExec>, 0x6E, CUDA_ERROR_INVALID_VALUE>();
}

/// Returns the handle of a node. It contains the handle of its graph.
CUgraphNode node_handle(CUgraph graph, std::size_t number);

/// A node that a handle names.
struct FoundNode {
  CUgraph handle;
  std::shared_ptr<Graph> graph;
  std::size_t number;

  GraphNode& node() const { return graph->at(number); }
};

/// Throws Failure INVALID_VALUE for a handle of no node.
FoundNode find_node(CUgraphNode handle);

/// Returns the numbers of nodes of one graph. Throws Failure INVALID_VALUE for one of another.
std::set<std::size_t> numbers_of(CUgraph graph, const CUgraphNode* nodes, std::size_t count);

/// Returns the node of an executable that a node of its graph became. Throws Failure INVALID_VALUE
/// if there is none, or if it is of another kind.
GraphNode& node_in(Executable& executable, CUgraphNode handle, WorkKind kind);

/// Requires edges without ports: the simulator has no others.
void require_plain(const CUgraphEdgeData* edges, std::size_t count);

/// Exchanges what a node does. It keeps its place.
void replace(GraphNode& node, GraphNode made);

/// Adds the node that `make` makes in the current context.
template <class Make>
CUresult add_node(const char* symbol, CUgraphNode* handle, CUgraph graph, const CUgraphNode* needs,
                  std::size_t count, Make make) {
  return context_value(symbol, handle, [&](Context& context) {
    const auto found = graphs().get(graph);
    std::set<std::size_t> before = numbers_of(graph, needs, count);
    GraphNode made = make(context);
    made.needs = std::move(before);
    return node_handle(graph, found->add(std::move(made)));
  });
}

/// Exchanges what a node does for what `make` makes.
template <class Make>
CUresult set_node(const char* symbol, CUgraphNode handle, WorkKind kind, Make make) {
  return context_call(symbol, [&](Context& context) {
    GraphNode& node = find_node(handle).node();
    require(node.kind == kind);
    replace(node, make(context));
  });
}

/// The same for a node of an executable.
template <class Make>
CUresult set_in(const char* symbol, CUgraphExec executable, CUgraphNode handle, WorkKind kind,
                Make make) {
  return context_call(symbol, [&](Context& context) {
    const auto found = executables().get(executable);
    replace(node_in(*found, handle, kind), make(context));
  });
}

/// Returns the parameters of a node that was added by hand. Throws Failure INVALID_VALUE for a node
/// of another kind, NOT_SUPPORTED for a captured one.
template <class Parameters>
const Parameters& parameters_of(CUgraphNode handle, WorkKind kind) {
  const GraphNode& node = find_node(handle).node();
  require(node.kind == kind);
  const auto* const parameters = std::any_cast<Parameters>(&node.parameters);
  require(parameters != nullptr, CUDA_ERROR_NOT_SUPPORTED);
  return *parameters;
}

// Nodes by what they do. All throw Failure for parameters that the driver's calls refuse.

GraphNode kernel_node(const CUDA_KERNEL_NODE_PARAMS& parameters, Context& context);
GraphNode copy_node(const CUDA_MEMCPY3D& plan);
GraphNode fill_node(const CUDA_MEMSET_NODE_PARAMS& parameters);
GraphNode host_node(const CUDA_HOST_NODE_PARAMS& parameters);
GraphNode child_node(CUgraph graph);
GraphNode event_node(CUevent event, WorkKind kind);
/// Stores the address in `parameters`.
GraphNode allocation_node(CUDA_MEM_ALLOC_NODE_PARAMS& parameters);
GraphNode release_node(CUdeviceptr pointer);
GraphNode memory_operations_node(const CUDA_BATCH_MEM_OP_NODE_PARAMS& parameters, Context& context);

/// What kernel_node keeps.
CUDA_KERNEL_NODE_PARAMS kernel_parameters(CUgraphNode handle);

/// What memory_operations_node keeps.
CUDA_BATCH_MEM_OP_NODE_PARAMS memory_operations_parameters(CUgraphNode handle);

}  // namespace array_interface::cuda_simulator
