#include <atomic>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include "test/harness/held.hpp"

// Streams that wait for a value in memory, or write one.

using namespace test;

namespace {

enum Operation { wait_32 = 1, write_32, flush, wait_64, write_64, barrier };
enum Condition : unsigned { at_least, equal, any_bit, not_all_bits };

CUstreamBatchMemOpParams operation(int kind, CUdeviceptr address, std::uint64_t value,
                                   unsigned flags = 0) {
  CUstreamBatchMemOpParams made{};
  made.on_value = {kind, address, value, flags, 0};
  return made;
}

template <class Value>
CUdeviceptr device_value(Value value) {
  const CUdeviceptr pointer = device_memory(16);
  OK(cuMemcpyHtoD_v2(pointer, &value, sizeof value));
  OK(cuStreamSynchronize(nullptr));  // the copy has read the host's memory, and no more is promised
  return pointer;
}

template <class Value>
Value value_at(CUdeviceptr pointer) {
  Value value{};
  OK(cuMemcpyDtoH_v2(&value, pointer, sizeof value));
  return value;
}

/// Whether a wait for a value that is there already ends. One that should end has a minute for it:
/// whoever waits sleeps also while the stream's own thread gets no time.
template <class Value, class Wait>
bool ends(Wait wait, Value there, Value wanted, unsigned condition, bool should_end) {
  const CUdeviceptr pointer = device_value(there);
  const CUstream queue = stream();
  OK(wait(queue, pointer, wanted, condition));
  Elsewhere waiting([=] { return cuStreamSynchronize(queue); });
  bool ended = !waiting.waits();
  const auto last_look = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (should_end && !ended && std::chrono::steady_clock::now() < last_look) {
    ended = !waiting.waits();
  }
  if (!ended) {  // every condition but the last holds for `wanted` itself
    const Value last = condition == not_all_bits ? Value{0} : wanted;
    OK(cuMemcpyHtoDAsync_v2(pointer, &last, sizeof last, stream()));
    OK(cuCtxSynchronize());
  }
  OK(waiting.result());
  return ended;
}

}  // namespace

CASE_EVERY_SCHEDULE("memory operations: a stream waits for what another stream writes") {
  use_device();
  for (const bool is_first : {true, false}) {
    const CUdeviceptr flag = device_value(0u);
    const CUdeviceptr data = device_value(1u);
    const CUdeviceptr copied = device_value(0u);
    const CUstream reader = stream();
    const CUstream writer = stream();
    const auto reads = [&] {
      OK(cuStreamWaitValue32_v2(reader, flag, 7, equal));
      OK(cuMemcpyDtoDAsync_v2(copied, data, 4, reader));
    };
    if (is_first) reads();
    OK(cuMemsetD32Async(data, 42, 1, writer));
    OK(cuStreamWriteValue32_v2(writer, flag, 7, 0));
    if (!is_first) reads();
    OK(cuStreamSynchronize(reader));  // nobody waits for the writer
    EQUAL(value_at<unsigned>(copied), 42u);
  }
}

CASE_EVERY_SCHEDULE("memory operations: a stream waits for the host, and holds up no other") {
  use_device();
  auto* const flag = reinterpret_cast<std::uint64_t*>(pinned_memory(8));
  *flag = 0;
  const CUstream waiting = stream();
  const CUdeviceptr data = device_value(0u);
  OK(cuStreamWaitValue64_v2(waiting, reinterpret_cast<CUdeviceptr>(flag), 1ull << 40, at_least));
  OK(cuMemsetD32Async(data, 5, 1, waiting));
  const CUstream other = stream();
  OK(cuMemsetD32Async(data, 3, 1, other));
  OK(cuStreamSynchronize(other));
  Elsewhere ends([=] { return cuStreamSynchronize(waiting); });
  CHECK(ends.waits());
  EQUAL(cuStreamQuery(waiting), CUDA_ERROR_NOT_READY);
  EQUAL(read(data, 4, other)[0], 3);
  __atomic_store_n(flag, 1ull << 40, __ATOMIC_SEQ_CST);
  OK(ends.result());
  EQUAL(read(data, 4, other)[0], 5);
}

CASE("memory operations: conditions, of 32 and of 64 bits") {
  use_device();
  for (const auto wait : {cuStreamWaitValue32, cuStreamWaitValue32_v2}) {
    const auto is_met = [&](unsigned there, unsigned wanted, unsigned condition) {
      return ends(wait, there, wanted, condition, true);
    };
    const auto is_met_too_soon = [&](unsigned there, unsigned wanted, unsigned condition) {
      return ends(wait, there, wanted, condition, false);
    };
    CHECK(is_met(7, 7, at_least));
    CHECK(is_met(3, 0xFFFFFFF0, at_least));  // the difference is signed
    CHECK(!is_met_too_soon(6, 7, at_least));
    CHECK(!is_met_too_soon(0x80000000, 0, at_least));
    CHECK(!is_met_too_soon(8, 7, equal));
    CHECK(is_met(6, 2, any_bit));
    CHECK(!is_met_too_soon(4, 2, any_bit));
    CHECK(is_met(0xFFFFFFFE, 0, not_all_bits));
    CHECK(!is_met_too_soon(0xFFFF0000, 0x0000FFFF, not_all_bits));
  }
  for (const auto wait : {cuStreamWaitValue64, cuStreamWaitValue64_v2}) {
    const auto is_met = [&](std::uint64_t there, std::uint64_t wanted, unsigned condition) {
      return ends(wait, there, wanted, condition, true);
    };
    const auto is_met_too_soon = [&](std::uint64_t there, std::uint64_t wanted,
                                     unsigned condition) {
      return ends(wait, there, wanted, condition, false);
    };
    CHECK(is_met(1ull << 33, 5, at_least));
    CHECK(!is_met_too_soon((1ull << 63) + 5, 5, at_least));
    CHECK(!is_met_too_soon((1ull << 32) + 5, 5, equal));
    CHECK(is_met(1ull << 40, 3ull << 40, any_bit));
    CHECK(!is_met_too_soon(1ull << 40, 1ull << 41, any_bit));
    CHECK(!is_met_too_soon(~0ull << 32, 0xFFFFFFFF, not_all_bits));
  }
}

CASE("memory operations: writes of every version write their width") {
  use_device();
  for (const auto write : {cuStreamWriteValue32, cuStreamWriteValue32_v2}) {
    const CUdeviceptr pointer = device_value(~0ull);
    OK(write(nullptr, pointer, 9, 1));
    OK(cuStreamSynchronize(nullptr));
    EQUAL(value_at<std::uint64_t>(pointer), 0xFFFFFFFF00000009ull);
  }
  for (const auto write : {cuStreamWriteValue64, cuStreamWriteValue64_v2}) {
    const CUdeviceptr pointer = device_value(~0ull);
    OK(write(nullptr, pointer, 1ull << 35, 0));
    OK(cuStreamSynchronize(nullptr));
    EQUAL(value_at<std::uint64_t>(pointer), 1ull << 35);
  }
}

CASE_EVERY_SCHEDULE("memory operations: a batch runs in its order") {
  use_device();
  const CUdeviceptr pointer = device_value(0u);
  for (const auto call : {cuStreamBatchMemOp, cuStreamBatchMemOp_v2}) {
    CUstreamBatchMemOpParams batch[] = {operation(write_32, pointer, 1),
                                        operation(wait_32, pointer, 1, equal),
                                        operation(barrier, 0, 0), operation(write_32, pointer, 2),
                                        operation(write_64, pointer + 8, 3)};
    const CUstream queue = stream();
    OK(call(queue, 5, batch, 0));
    batch[3].on_value.value = 77;  // the batch was copied
    OK(cuStreamSynchronize(queue));
    EQUAL(value_at<unsigned>(pointer), 2u);
    EQUAL(value_at<std::uint64_t>(pointer + 8), 3ull);
  }
}

CASE("memory operations: what cannot be done is refused") {
  use_device();
  const CUdeviceptr pointer = device_value(0ull);
  CUdeviceptr managed = 0;
  OK(cuMemAllocManaged(&managed, 16, CU_MEM_ATTACH_GLOBAL));
  unsigned on_the_stack = 0;
  const auto call = [&](CUstreamBatchMemOpParams given, unsigned count = 1, unsigned flags = 0) {
    return cuStreamBatchMemOp_v2(nullptr, count, &given, flags);
  };
  for (const CUdeviceptr wrong : {CUdeviceptr{0}, pointer + 2, managed, pointer + 16,
                                  reinterpret_cast<CUdeviceptr>(&on_the_stack)}) {
    FAILS(cuStreamWaitValue32_v2(nullptr, wrong, 0, 0), CUDA_ERROR_INVALID_VALUE);
    FAILS(cuStreamWriteValue32_v2(nullptr, wrong, 0, 0), CUDA_ERROR_INVALID_VALUE);
  }
  FAILS(cuStreamWriteValue64_v2(nullptr, pointer + 4, 0, 0), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuStreamWaitValue32_v2(nullptr, pointer, 0, 4), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuStreamWaitValue32_v2(nullptr, pointer, 0, 1u << 30), CUDA_ERROR_NOT_SUPPORTED);
  FAILS(cuStreamWriteValue32_v2(nullptr, pointer, 0, 2), CUDA_ERROR_INVALID_VALUE);
  FAILS(call(operation(flush, 0, 0)), CUDA_ERROR_NOT_SUPPORTED);
  FAILS(call(operation(7, pointer, 0)), CUDA_ERROR_INVALID_VALUE);
  FAILS(call(operation(write_32, pointer, 0), 0), CUDA_ERROR_INVALID_VALUE);
  FAILS(call(operation(write_32, pointer, 0), 257), CUDA_ERROR_INVALID_VALUE);
  FAILS(call(operation(write_32, pointer, 0), 1, 1), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuStreamBatchMemOp_v2(nullptr, 1, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  int can_flush = 7;
  OK(cuDeviceGetAttribute(&can_flush, 98, 0));
  EQUAL(can_flush, 0);
  for (const int attribute : {92, 93, 94, 122, 123}) {
    int can = 7;
    OK(cuDeviceGetAttribute(&can, attribute, 0));
    EQUAL(can, 1);
  }
}

CASE_EVERY_SCHEDULE("memory operations: a wait whose memory is freed ends with a fault") {
  use_device();
  CUdeviceptr pointer = 0;
  const CUstream freeing = stream();
  OK(cuMemAllocAsync(&pointer, 16, freeing));
  OK(cuMemsetD32Async(pointer, 0, 4, freeing));
  OK(cuStreamSynchronize(freeing));
  const CUstream waiting = stream();
  OK(cuStreamWaitValue32_v2(waiting, pointer, 1, equal));
  OK(cuMemFreeAsync(pointer, freeing));
  FAILS(cuStreamSynchronize(waiting), CUDA_ERROR_ILLEGAL_ADDRESS);
}

CASE_EVERY_SCHEDULE("memory operations: nodes of graphs, added by hand and captured") {
  use_device();
  const CUdeviceptr pointer = device_value(0u);
  CUgraph graph = nullptr;
  OK(cuGraphCreate(&graph, 0));
  CUstreamBatchMemOpParams both[] = {operation(write_32, pointer, 4),
                                     operation(write_32, pointer + 4, 5)};
  const CUDA_BATCH_MEM_OP_NODE_PARAMS plan{nullptr, 2, both, 0};
  CUgraphNode node = nullptr;
  FAILS(cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  OK(cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &plan));
  CUDA_BATCH_MEM_OP_NODE_PARAMS told{};
  OK(cuGraphBatchMemOpNodeGetParams(node, &told));
  EQUAL(told.count, 2u);
  EQUAL(told.paramArray[1].on_value.value, 5ull);
  CHECK(told.paramArray != both);
  CUgraphNodeParams whole{};
  OK(cuGraphNodeGetParams(node, &whole));
  EQUAL(whole.type, 12);
  EQUAL(whole.memOp.count, 2u);
  both[0].on_value.value = 6;
  OK(cuGraphBatchMemOpNodeSetParams(node, &plan));
  CUgraphExec executable = nullptr;
  OK(cuGraphInstantiateWithFlags(&executable, graph, 0));
  const CUstream queue = stream();
  OK(cuGraphLaunch(executable, queue));
  OK(cuStreamSynchronize(queue));
  EQUAL(value_at<std::uint64_t>(pointer), (5ull << 32) + 6);
  both[1].on_value.value = 8;
  OK(cuGraphExecBatchMemOpNodeSetParams(executable, node, &plan));
  OK(cuGraphLaunch(executable, queue));
  OK(cuStreamSynchronize(queue));
  EQUAL(value_at<std::uint64_t>(pointer), (8ull << 32) + 6);

  OK(cuStreamBeginCapture_v2(queue, 0));
  OK(cuStreamWriteValue32_v2(queue, pointer, 9, 0));
  OK(cuStreamWaitValue32_v2(queue, pointer, 9, equal));
  CUgraph captured = nullptr;
  OK(cuStreamEndCapture(queue, &captured));
  std::size_t count = 0;
  OK(cuGraphGetNodes(captured, nullptr, &count));
  EQUAL(count, std::size_t{2});
  OK(cuGraphInstantiateWithFlags(&executable, captured, 0));
  EQUAL(value_at<unsigned>(pointer), 6u);
  OK(cuGraphLaunch(executable, queue));
  OK(cuStreamSynchronize(queue));
  EQUAL(value_at<unsigned>(pointer), 9u);
}
