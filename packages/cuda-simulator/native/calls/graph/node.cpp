#include "node.hpp"

#include <algorithm>
#include <cstdint>

namespace array_interface::cuda_simulator {
namespace {

constexpr int number_bits = 16;

}  // namespace

CUgraphNode node_handle(CUgraph graph, std::size_t number) {
  return reinterpret_cast<CUgraphNode>((reinterpret_cast<std::uintptr_t>(graph) << number_bits) +
                                       number + 1);
}

FoundNode find_node(CUgraphNode handle) {
  const auto bits = reinterpret_cast<std::uintptr_t>(handle);
  const auto graph = reinterpret_cast<CUgraph>(bits >> number_bits);
  const std::size_t number = (bits & ((1u << number_bits) - 1)) - 1;
  FoundNode found{graph, graphs().get(graph), number};
  found.node();  // throws if there is none
  return found;
}

std::set<std::size_t> numbers_of(CUgraph graph, const CUgraphNode* nodes, std::size_t count) {
  require(count == 0 || nodes != nullptr);
  std::set<std::size_t> numbers;
  for (std::size_t index = 0; index < count; ++index) {
    const FoundNode found = find_node(nodes[index]);
    require(found.handle == graph);
    numbers.insert(found.number);
  }
  return numbers;
}

GraphNode& node_in(Executable& executable, CUgraphNode handle, WorkKind kind) {
  const FoundNode found = find_node(handle);
  require(found.graph->origin == executable.graph.origin);
  GraphNode& node = executable.graph.at(found.number);
  require(node.kind == kind);
  return node;
}

void require_plain(const CUgraphEdgeData* edges, std::size_t count) {
  if (edges == nullptr) return;
  const CUgraphEdgeData plain{};
  const auto is_plain = [&](const CUgraphEdgeData& edge) {
    return edge.from_port == plain.from_port && edge.to_port == plain.to_port &&
           edge.type == plain.type;
  };
  require(std::all_of(edges, edges + count, is_plain), CUDA_ERROR_NOT_SUPPORTED);
}

void replace(GraphNode& node, GraphNode made) {
  made.needs = std::move(node.needs);
  made.enabled = node.enabled;
  node = std::move(made);
}

}  // namespace array_interface::cuda_simulator
