#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/cuda_abi.hpp"

namespace array_interface::cuda_simulator {

struct Capture;
struct Context;
struct Task;

using TaskPtr = std::shared_ptr<Task>;

/// The work of a task, called when it may run. An error makes its context unusable.
using Work = std::function<CUresult()>;

/// What work does, as the driver numbers the nodes of graphs.
enum class WorkKind : int {
  kernel = 0,
  copy = 1,
  fill = 2,
  host_function = 3,
  graph = 4,
  mark = 5,
  wait_event = 6,
  record_event = 7,
  allocation = 10,
  release = 11,
  memory_operations = 12,
};

/// Work in a stream. Everything but `work` while it runs is guarded by the Schedule's lock.
struct Task {
  enum class State { queued, running, done };

  Context* context = nullptr;
  Work work;                   ///< empty for a mark in the stream
  bool host_function = false;  ///< may not call the driver
  bool may_wait = false;       ///< for another thread or stream: it runs on a thread of its own
  std::uint64_t number = 0;    ///< counts from 1 in the order of enqueuing
  State state = State::queued;
  std::vector<TaskPtr> needs;  ///< must be done before; all were enqueued earlier, so no cycles
  std::chrono::steady_clock::time_point finished;
  std::shared_ptr<Capture> capture;  ///< never runs: it was captured, as
  std::size_t node = 0;              ///< this node of the graph
};

}  // namespace array_interface::cuda_simulator
