#include "graph.hpp"

#include <algorithm>
#include <atomic>

#include "base/failure.hpp"
#include "event.hpp"
#include "schedule.hpp"

namespace array_interface::cuda_simulator {
namespace {

constexpr std::size_t most_nodes = 65534;  // their handles have 16 bits for the number

unsigned new_id() {
  static std::atomic<unsigned> last{0};
  return ++last;
}

}  // namespace

Graph::Graph() : id(new_id()), origin(id) {}

Graph::Graph(const Graph& other)
    : id(new_id()), origin(other.origin), nodes(other.nodes), next(other.next), held(other.held) {
  for (auto& [number, node] : nodes) {
    if (node.child == nullptr) continue;
    node.child = std::make_shared<Graph>(*node.child);
    node.child_handle = graphs().add(node.child);
  }
}

Graph::~Graph() {
  for (const auto& [number, node] : nodes) {
    if (node.child_handle != nullptr) graphs().remove(node.child_handle);
  }
}

std::size_t Graph::add(GraphNode node) {
  require(next < most_nodes, CUDA_ERROR_OUT_OF_MEMORY);
  nodes.emplace(next, std::move(node));
  return next++;
}

GraphNode& Graph::at(std::size_t number) {
  const auto found = nodes.find(number);
  require(found != nodes.end());
  return found->second;
}

std::vector<std::size_t> Graph::order() const {
  std::vector<std::size_t> ordered;
  std::set<std::size_t> placed;
  while (ordered.size() < nodes.size()) {
    const std::size_t before = ordered.size();
    for (const auto& [number, node] : nodes) {
      const bool is_ready = std::all_of(node.needs.begin(), node.needs.end(),
                                        [&](std::size_t need) { return placed.count(need) != 0; });
      if (!is_ready || !placed.insert(number).second) continue;
      ordered.push_back(number);
    }
    require(ordered.size() > before);  // else a cycle
  }
  return ordered;
}

void launch(const Graph& graph, Stream& stream) {
  for (const std::size_t number : graph.order()) {
    const GraphNode& node = graph.nodes.at(number);
    if (!node.enabled) continue;
    if (node.child != nullptr) {
      launch(*node.child, stream);
    } else if (node.kind == WorkKind::record_event) {
      node.event->record(stream);
    } else if (node.kind == WorkKind::wait_event) {
      node.event->last_record().enqueue_wait(stream);
    } else {
      schedule().enqueue(stream, node.work, {}, node.kind);
    }
  }
}

}  // namespace array_interface::cuda_simulator
