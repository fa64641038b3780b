#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/driver_api.hpp"
#include "node.hpp"

// What a graph has: its nodes, the order between them, its numbers.

using namespace array_interface::cuda_simulator;

namespace {

struct Edge {
  std::size_t from;
  std::size_t to;
};

std::vector<Edge> edges_of(const Graph& graph) {
  std::vector<Edge> edges;
  for (const auto& [number, node] : graph.nodes) {
    for (const std::size_t need : node.needs) edges.push_back({need, number});
  }
  return edges;
}

/// Writes a list as the driver does: its length alone if there is no target, else as much as there
/// is room for, and null for what is left of the room.
template <class Item, class Value, class ToValue>
void put_list(const std::vector<Item>& items, Value* target, std::size_t room, ToValue to_value) {
  if (target == nullptr) return;
  for (std::size_t index = 0; index < room; ++index) {
    target[index] = index < items.size() ? to_value(items[index]) : Value{};
  }
}

void put_count(std::size_t* count, std::size_t all, bool has_target) {
  *count = has_target ? std::min(*count, all) : all;
}

CUresult tell_nodes(const char* symbol, CUgraph graph, CUgraphNode* nodes, std::size_t* count,
                    bool roots_only) {
  return driver_call(symbol, [&] {
    require(count != nullptr);
    std::vector<std::size_t> numbers;
    for (const auto& [number, node] : graphs().get(graph)->nodes) {
      if (!roots_only || node.needs.empty()) numbers.push_back(number);
    }
    put_list(numbers, nodes, *count, [&](std::size_t one) { return node_handle(graph, one); });
    put_count(count, numbers.size(), nodes != nullptr);
  });
}

CUresult tell_edges(const char* symbol, CUgraph graph, CUgraphNode* from, CUgraphNode* to,
                    CUgraphEdgeData* data, std::size_t* count) {
  return driver_call(symbol, [&] {
    require(count != nullptr && (from == nullptr) == (to == nullptr));
    const std::vector<Edge> edges = edges_of(*graphs().get(graph));
    put_list(edges, from, *count, [&](const Edge& e) { return node_handle(graph, e.from); });
    put_list(edges, to, *count, [&](const Edge& e) { return node_handle(graph, e.to); });
    put_list(edges, data, *count, [](const Edge&) { return CUgraphEdgeData{}; });
    put_count(count, edges.size(), from != nullptr);
  });
}

/// Tells the nodes before a node, or those after it.
CUresult tell_neighbours(const char* symbol, CUgraphNode handle, CUgraphNode* nodes,
                         CUgraphEdgeData* data, std::size_t* count, bool before) {
  return driver_call(symbol, [&] {
    require(count != nullptr);
    const FoundNode found = find_node(handle);
    std::vector<std::size_t> numbers;
    for (const Edge& edge : edges_of(*found.graph)) {
      if ((before ? edge.to : edge.from) != found.number) continue;
      numbers.push_back(before ? edge.from : edge.to);
    }
    put_list(numbers, nodes, *count,
             [&](std::size_t one) { return node_handle(found.handle, one); });
    put_list(numbers, data, *count, [](std::size_t) { return CUgraphEdgeData{}; });
    put_count(count, numbers.size(), nodes != nullptr);
  });
}

/// Adds or removes edges: all, or none if one is wrong.
CUresult change_edges(const char* symbol, CUgraph handle, const CUgraphNode* from,
                      const CUgraphNode* to, const CUgraphEdgeData* data, std::size_t count,
                      bool adds) {
  return driver_call(symbol, [&] {
    require(count == 0 || (from != nullptr && to != nullptr));
    require_plain(data, count);
    const auto graph = graphs().get(handle);
    std::vector<Edge> edges;
    for (std::size_t index = 0; index < count; ++index) {
      const FoundNode first = find_node(from[index]);
      const FoundNode second = find_node(to[index]);
      require(first.handle == handle && second.handle == handle && first.number != second.number);
      const bool exists = second.node().needs.count(first.number) != 0;
      require(exists != adds);
      edges.push_back({first.number, second.number});
    }
    for (const Edge& edge : edges) {
      std::set<std::size_t>& needs = graph->at(edge.to).needs;
      if (adds) needs.insert(edge.from);
      if (!adds) needs.erase(edge.from);
    }
  });
}

const char* name_of(WorkKind kind) {
  switch (kind) {
    case WorkKind::kernel:
      return "kernel";
    case WorkKind::copy:
      return "memcpy";
    case WorkKind::fill:
      return "memset";
    case WorkKind::host_function:
      return "host";
    case WorkKind::graph:
      return "graph";
    case WorkKind::wait_event:
      return "wait for event";
    case WorkKind::record_event:
      return "record event";
    case WorkKind::allocation:
      return "allocate";
    case WorkKind::release:
      return "free";
    case WorkKind::memory_operations:
      return "operations on memory";
    default:
      return "empty";
  }
}

std::string dot_of(const Graph& graph) {
  std::string text = "digraph {\n";
  for (const auto& [number, node] : graph.nodes) {
    const std::string name = "n" + std::to_string(number);
    text +=
        "  " + name + " [label=\"" + std::to_string(number) + " " + name_of(node.kind) + "\"];\n";
    for (const std::size_t need : node.needs) {
      text += "  n" + std::to_string(need) + " -> " + name + ";\n";
    }
  }
  return text + "}\n";
}

}  // namespace

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, std::size_t* count) {
  return tell_nodes(__func__, graph, nodes, count, false);
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, std::size_t* count) {
  return tell_nodes(__func__, graph, nodes, count, true);
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, std::size_t* count) {
  return tell_edges(__func__, graph, from, to, nullptr, count);
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to,
                            CUgraphEdgeData* data, std::size_t* count) {
  return tell_edges(__func__, graph, from, to, data, count);
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* nodes, std::size_t* count) {
  return tell_neighbours(__func__, node, nodes, nullptr, count, true);
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* data,
                                       std::size_t* count) {
  return tell_neighbours(__func__, node, nodes, data, count, true);
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* nodes, std::size_t* count) {
  return tell_neighbours(__func__, node, nodes, nullptr, count, false);
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* nodes,
                                         CUgraphEdgeData* data, std::size_t* count) {
  return tell_neighbours(__func__, node, nodes, data, count, false);
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                std::size_t count) {
  return change_edges(__func__, graph, from, to, nullptr, count, true);
}

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData* data, std::size_t count) {
  return change_edges(__func__, graph, from, to, data, count, true);
}

CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   std::size_t count) {
  return change_edges(__func__, graph, from, to, nullptr, count, false);
}

CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                      const CUgraphEdgeData* data, std::size_t count) {
  return change_edges(__func__, graph, from, to, data, count, false);
}

CUresult cuGraphDestroyNode(CUgraphNode handle) {
  return driver_call(__func__, [&] {
    const FoundNode found = find_node(handle);
    if (found.node().child_handle != nullptr) graphs().remove(found.node().child_handle);
    found.graph->nodes.erase(found.number);
    for (auto& [number, node] : found.graph->nodes) node.needs.erase(found.number);
  });
}

CUresult cuGraphNodeFindInClone(CUgraphNode* clone, CUgraphNode original, CUgraph graph) {
  return driver_value(__func__, clone, [&] {
    const FoundNode found = find_node(original);
    const auto cloned = graphs().get(graph);
    require(cloned->origin == found.graph->origin);
    cloned->at(found.number);
    return node_handle(graph, found.number);
  });
}

CUresult cuGraphNodeGetType(CUgraphNode node, int* type) {
  return driver_value(__func__, type,
                      [&] { return static_cast<int>(find_node(node).node().kind); });
}

CUresult cuGraphNodeGetContainingGraph(CUgraphNode node, CUgraph* graph) {
  return driver_value(__func__, graph, [&] { return find_node(node).handle; });
}

CUresult cuGraphNodeGetLocalId(CUgraphNode node, unsigned* number) {
  return driver_value(__func__, number,
                      [&] { return static_cast<unsigned>(find_node(node).number); });
}

CUresult cuGraphNodeGetToolsId(CUgraphNode node, unsigned long long* number) {
  return driver_value(__func__, number, [&]() -> unsigned long long {
    const FoundNode found = find_node(node);
    return (static_cast<unsigned long long>(found.graph->id) << 32) + found.number;
  });
}

CUresult cuGraphGetId(CUgraph graph, unsigned* id) {
  return driver_value(__func__, id, [&] { return graphs().get(graph)->id; });
}

CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned) {
  return driver_call(__func__, [&] {
    require(path != nullptr);
    const std::string text = dot_of(*graphs().get(graph));
    std::FILE* const file = std::fopen(path, "w");
    require(file != nullptr, CUDA_ERROR_OPERATING_SYSTEM);
    const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    require(std::fclose(file) == 0 && is_written, CUDA_ERROR_OPERATING_SYSTEM);
  });
}
