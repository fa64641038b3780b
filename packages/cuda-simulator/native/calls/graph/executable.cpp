#include "base/driver_api.hpp"
#include "base/failure.hpp"
#include "node.hpp"
#include "state/stream.hpp"

using namespace array_interface::cuda_simulator;

namespace {

CUresult instantiate(const char* symbol, CUgraphExec* executable, CUgraph graph,
                     unsigned long long flags) {
  return context_value(symbol, executable, [&](Context&) {
    const auto source = graphs().get(graph);
    source->order();  // throws if there is a cycle
    auto made = std::make_shared<Executable>(*source);
    made->flags = flags;
    return executables().add(std::move(made));
  });
}

enum UpdateResult : int { success = 0, topology_changed = 2, node_type_changed = 3 };

/// Takes over what the nodes of a graph do, if it has the same nodes in the same order. Else
/// returns why not, and the number of the first node that differs.
UpdateResult update(Graph& target, const Graph& source, std::size_t& differs) {
  const std::vector<std::size_t> to = target.order();
  const std::vector<std::size_t> from = source.order();
  if (to.size() != from.size()) return topology_changed;
  std::map<std::size_t, std::size_t> counterpart;
  for (std::size_t index = 0; index < from.size(); ++index) counterpart[from[index]] = to[index];
  for (std::size_t index = 0; index < from.size(); ++index) {
    const GraphNode& node = source.nodes.at(from[index]);
    const GraphNode& old = target.at(to[index]);
    differs = from[index];
    if (node.kind != old.kind) return node_type_changed;
    std::set<std::size_t> needs;
    for (const std::size_t need : node.needs) needs.insert(counterpart[need]);
    if (needs != old.needs) return topology_changed;
  }
  for (std::size_t index = 0; index < from.size(); ++index) {
    GraphNode made = source.nodes.at(from[index]);
    if (made.child != nullptr) {
      made.child = std::make_shared<Graph>(*made.child);
      made.child_handle = nullptr;
    }
    replace(target.at(to[index]), std::move(made));
  }
  return success;
}

template <class Report>
CUresult update_with(const char* symbol, CUgraphExec executable, CUgraph graph, Report report) {
  return driver_call(symbol, [&] {
    std::size_t differs = 0;
    const UpdateResult result =
        update(executables().get(executable)->graph, *graphs().get(graph), differs);
    report(result, result == success ? nullptr : node_handle(graph, differs));
    require(result == success, CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  });
}

}  // namespace

CUresult cuGraphInstantiate(CUgraphExec* executable, CUgraph graph, CUgraphNode* error, char*,
                            std::size_t) {
  if (error != nullptr) *error = nullptr;
  return instantiate(__func__, executable, graph, 0);
}

CUresult cuGraphInstantiate_v2(CUgraphExec* executable, CUgraph graph, CUgraphNode* error, char*,
                               std::size_t) {
  if (error != nullptr) *error = nullptr;
  return instantiate(__func__, executable, graph, 0);
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph,
                                     unsigned long long flags) {
  return instantiate(__func__, executable, graph, flags);
}

CUresult cuGraphInstantiateWithParams(CUgraphExec* executable, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  const CUresult result =
      instantiate(__func__, executable, graph, parameters == nullptr ? 0 : parameters->flags);
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

CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  return context_call(__func__, [&](Context& context) {
    const auto found = executables().get(executable);
    launch(found->graph, *find_stream(stream, context));
  });
}

CUresult cuGraphExecDestroy(CUgraphExec executable) {
  return driver_call(__func__, [&] { executables().take(executable); });
}

CUresult cuGraphExecGetFlags(CUgraphExec executable, unsigned long long* flags) {
  return driver_value(__func__, flags, [&] { return executables().get(executable)->flags; });
}

CUresult cuGraphExecGetId(CUgraphExec executable, unsigned* id) {
  return driver_value(__func__, id, [&] { return executables().get(executable)->graph.id; });
}

CUresult cuGraphExecUpdate(CUgraphExec executable, CUgraph graph, CUgraphNode* error, int* result) {
  return update_with(__func__, executable, graph, [&](int outcome, CUgraphNode node) {
    if (error != nullptr) *error = node;
    if (result != nullptr) *result = outcome;
  });
}

CUresult cuGraphExecUpdate_v2(CUgraphExec executable, CUgraph graph,
                              CUgraphExecUpdateResultInfo* result) {
  return update_with(__func__, executable, graph, [&](int outcome, CUgraphNode node) {
    if (result != nullptr) *result = {outcome, node, nullptr};
  });
}

CUresult cuGraphNodeSetEnabled(CUgraphExec executable, CUgraphNode handle, unsigned is_enabled) {
  return driver_call(__func__, [&] {
    const auto found = executables().get(executable);
    const WorkKind kind = find_node(handle).node().kind;
    require(kind == WorkKind::kernel || kind == WorkKind::copy || kind == WorkKind::fill);
    node_in(*found, handle, kind).enabled = is_enabled != 0;
  });
}

CUresult cuGraphNodeGetEnabled(CUgraphExec executable, CUgraphNode handle, unsigned* is_enabled) {
  return driver_value(__func__, is_enabled, [&] {
    const auto found = executables().get(executable);
    return node_in(*found, handle, find_node(handle).node().kind).enabled ? 1u : 0u;
  });
}
