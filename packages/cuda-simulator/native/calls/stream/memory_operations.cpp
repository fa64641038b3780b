#include <chrono>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

#include "base/driver_api.hpp"
#include "calls/graph/node.hpp"
#include "driver/call.hpp"
#include "state/copy.hpp"
#include "state/schedule.hpp"
#include "state/stream.hpp"

// Work of a stream that waits for a value in memory, or writes one.

using namespace array_interface::cuda_simulator;

namespace {

enum Operation { wait_32 = 1, write_32, flush, wait_64, write_64, barrier };
enum Condition : unsigned { at_least, equal, any_bit, not_all_bits };

constexpr unsigned flushes = 1u << 30;   // CU_STREAM_WAIT_VALUE_FLUSH
constexpr unsigned without_barrier = 1;  // CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER
constexpr unsigned largest_batch = 256;
constexpr std::chrono::microseconds pause{50};

using Parameters = CUstreamBatchMemOpParams;

/// Operations in their order, as a node of a graph keeps them.
struct Batch {
  CUDA_BATCH_MEM_OP_NODE_PARAMS given;
  std::vector<Parameters> operations;
};

using BatchPtr = std::shared_ptr<Batch>;

template <class Value>
bool holds(Value there, Value wanted, unsigned condition) {
  switch (condition) {
    case at_least:
      return static_cast<std::make_signed_t<Value>>(there - wanted) >= 0;
    case equal:
      return there == wanted;
    case any_bit:
      return (there & wanted) != 0;
    default:
      return static_cast<Value>(~(there | wanted)) != 0;
  }
}

/// Polls, as the value may come from any thread, stream or process. Gives up once the context has
/// failed.
template <class Value>
CUresult wait_for(const Parameters& operation, const Context& context) {
  const auto wanted = static_cast<Value>(operation.on_value.value);
  while (!context.failed()) {
    Mapped mapped;
    if (!map_for_device(operation.on_value.address, sizeof(Value), mapped)) {
      fail_access("a wait reads", operation.on_value.address, sizeof(Value));
    }
    const auto* const place = reinterpret_cast<const Value*>(mapped.bytes);
    const Value there = __atomic_load_n(place, __ATOMIC_SEQ_CST);
    if (holds(there, wanted, operation.on_value.flags)) return CUDA_SUCCESS;
    if (!schedule().run_ready()) std::this_thread::sleep_for(pause);
  }
  return CUDA_SUCCESS;
}

template <class Value>
CUresult write(const Parameters& operation) {
  Mapped mapped;
  if (!map_for_device(operation.on_value.address, sizeof(Value), mapped)) {
    fail_access("a write of a value", operation.on_value.address, sizeof(Value));
  }
  auto* const place = reinterpret_cast<Value*>(mapped.bytes);
  __atomic_store_n(place, static_cast<Value>(operation.on_value.value), __ATOMIC_SEQ_CST);
  return CUDA_SUCCESS;
}

CUresult perform(const Parameters& operation, const Context& context) {
  switch (operation.operation) {
    case wait_32:
      return wait_for<std::uint32_t>(operation, context);
    case wait_64:
      return wait_for<std::uint64_t>(operation, context);
    case write_32:
      return write<std::uint32_t>(operation);
    case write_64:
      return write<std::uint64_t>(operation);
    default:
      return CUDA_SUCCESS;  // a barrier: operations are in order as it is
  }
}

Work work_of(BatchPtr batch, const Context& context) {
  return [batch = std::move(batch), &context] {
    for (const Parameters& operation : batch->operations) {
      const CUresult result = perform(operation, context);
      if (result != CUDA_SUCCESS) return result;
    }
    return CUDA_SUCCESS;
  };
}

/// Memory of a value: aligned, and neither managed nor unknown to the driver.
void require_place(CUdeviceptr address, std::size_t size) {
  require(address % size == 0);
  const Place place = allocations().find(address, size);
  require(place.kind == Place::Kind::allocation && !place.is(Allocation::Kind::managed));
}

void require_valid(const Parameters& given) {
  switch (given.operation) {
    case flush:
      throw Failure{CUDA_ERROR_NOT_SUPPORTED};  // as the device's attribute says
    case barrier:
      return require(given.order.flags <= 1);  // of the device, or of the system
    case wait_32:
    case wait_64:
      require((given.on_value.flags & ~(flushes | not_all_bits)) == 0);
      require((given.on_value.flags & flushes) == 0, CUDA_ERROR_NOT_SUPPORTED);
      break;
    case write_32:
    case write_64:
      require((given.on_value.flags & ~without_barrier) == 0);
      break;
    default:
      throw Failure{CUDA_ERROR_INVALID_VALUE};
  }
  const bool is_short = given.operation == wait_32 || given.operation == write_32;
  require_place(given.on_value.address, is_short ? 4 : 8);
}

BatchPtr batch_of(const CUDA_BATCH_MEM_OP_NODE_PARAMS& given) {
  require(given.paramArray != nullptr && given.count >= 1 && given.count <= largest_batch);
  require(given.flags == 0);
  auto batch = std::make_shared<Batch>();
  batch->operations.assign(given.paramArray, given.paramArray + given.count);
  for (const Parameters& operation : batch->operations) require_valid(operation);
  batch->given = given;
  batch->given.paramArray = batch->operations.data();
  return batch;
}

const CUDA_BATCH_MEM_OP_NODE_PARAMS& known(const CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters) {
  require(parameters != nullptr);
  return *parameters;
}

CUresult enqueue(const char* symbol, CUstream stream, unsigned count, Parameters* operations,
                 unsigned flags) {
  return context_call(symbol, [&](Context& context) {
    const auto queue = find_stream(stream, context);
    BatchPtr batch = batch_of({nullptr, count, operations, flags});
    schedule().enqueue(*queue, work_of(std::move(batch), *queue->context), {},
                       WorkKind::memory_operations);
  });
}

CUresult enqueue(const char* symbol, CUstream stream, Operation operation, CUdeviceptr address,
                 std::uint64_t value, unsigned flags) {
  Parameters only{};
  only.on_value = {operation, address, value, flags, 0};
  return enqueue(symbol, stream, 1, &only, 0);
}

}  // namespace

namespace array_interface::cuda_simulator {

GraphNode memory_operations_node(const CUDA_BATCH_MEM_OP_NODE_PARAMS& parameters,
                                 Context& context) {
  const BatchPtr batch = batch_of(parameters);
  GraphNode node;
  node.kind = WorkKind::memory_operations;
  node.work = work_of(batch, context);
  node.parameters = batch;
  return node;
}

CUDA_BATCH_MEM_OP_NODE_PARAMS memory_operations_parameters(CUgraphNode handle) {
  return parameters_of<BatchPtr>(handle, WorkKind::memory_operations)->given;
}

}  // namespace array_interface::cuda_simulator

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr address, unsigned value, unsigned flags) {
  return enqueue(__func__, stream, wait_32, address, value, flags);
}

CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, unsigned value,
                                unsigned flags) {
  return enqueue(__func__, stream, wait_32, address, value, flags);
}

CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr address, std::uint64_t value,
                             unsigned flags) {
  return enqueue(__func__, stream, wait_64, address, value, flags);
}

CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, std::uint64_t value,
                                unsigned flags) {
  return enqueue(__func__, stream, wait_64, address, value, flags);
}

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr address, unsigned value,
                              unsigned flags) {
  return enqueue(__func__, stream, write_32, address, value, flags);
}

CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, unsigned value,
                                 unsigned flags) {
  return enqueue(__func__, stream, write_32, address, value, flags);
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr address, std::uint64_t value,
                              unsigned flags) {
  return enqueue(__func__, stream, write_64, address, value, flags);
}

CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, std::uint64_t value,
                                 unsigned flags) {
  return enqueue(__func__, stream, write_64, address, value, flags);
}

CUresult cuStreamBatchMemOp(CUstream stream, unsigned count, CUstreamBatchMemOpParams* operations,
                            unsigned flags) {
  return enqueue(__func__, stream, count, operations, flags);
}

CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned count,
                               CUstreamBatchMemOpParams* operations, unsigned flags) {
  return enqueue(__func__, stream, count, operations, flags);
}

CUresult cuGraphAddBatchMemOpNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needs,
                                  std::size_t count,
                                  const CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters) {
  return add_node(__func__, node, graph, needs, count, [&](Context& context) {
    return memory_operations_node(known(parameters), context);
  });
}

CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode node,
                                        CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters) {
  return driver_value(__func__, parameters, [&] { return memory_operations_parameters(node); });
}

CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode node,
                                        const CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters) {
  return set_node(__func__, node, WorkKind::memory_operations, [&](Context& context) {
    return memory_operations_node(known(parameters), context);
  });
}

CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters) {
  return set_in(__func__, executable, node, WorkKind::memory_operations, [&](Context& context) {
    return memory_operations_node(known(parameters), context);
  });
}
