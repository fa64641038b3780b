#pragma once

#include <any>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "base/handle_table.hpp"
#include "task.hpp"

namespace array_interface::cuda_simulator {

struct Event;
struct Graph;
struct Stream;

/// Work that is done when its graph is launched.
struct GraphNode {
  WorkKind kind = WorkKind::mark;
  Work work;                    ///< empty for marks, events and graphs
  std::set<std::size_t> needs;  ///< nodes before it, by number
  bool enabled = true;
  std::shared_ptr<Event> event;  ///< that it records or waits for
  std::shared_ptr<Graph> child;  ///< that it launches
  CUgraph child_handle = nullptr;
  std::any parameters;  ///< as given by hand; empty if the node was captured
};

/// A reference to an object of the program, which is destroyed with the last one.
struct UserReference {
  std::shared_ptr<void> object;
  CUuserObject handle = nullptr;
};

/// Nodes and their order. Not thread-safe, as the driver's graphs are not.
struct Graph {
  Graph();
  Graph(const Graph& other);
  Graph& operator=(const Graph&) = delete;
  ~Graph();

  /// Adds a node and returns its number, which no other node of the graph ever gets. Throws Failure
  /// OUT_OF_MEMORY if there are too many.
  std::size_t add(GraphNode node);

  /// Returns the node with a number. Throws Failure INVALID_VALUE.
  GraphNode& at(std::size_t number);

  /// Returns all numbers, each after those that it needs. Throws Failure INVALID_VALUE for a cycle.
  std::vector<std::size_t> order() const;

  const unsigned id;
  const unsigned origin;  ///< the id of the graph that this is a clone of, or its own
  std::map<std::size_t, GraphNode> nodes;  ///< by number
  std::size_t next = 0;
  std::vector<UserReference> held;
};

inline HandleTable<Graph, CUgraph>& graphs() {
  return immortal<HandleTable<Graph, CUgraph>, 0x6A, CUDA_ERROR_INVALID_VALUE>();
}

/// Enqueues the nodes one after another, so nodes without an order among themselves are ordered
/// here.
void launch(const Graph& graph, Stream& stream);

}  // namespace array_interface::cuda_simulator
