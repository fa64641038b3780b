#include <thread>

#include "test/harness/gpu.hpp"

using namespace test;

namespace {

constexpr int global_mode = 0;
constexpr int thread_local_mode = 1;
constexpr int relaxed_mode = 2;

int status_of(CUstream queue) {
  int status = -1;
  OK(cuStreamIsCapturing(queue, &status));
  return status;
}

CUgraph ended(CUstream queue) {
  CUgraph graph = nullptr;
  OK(cuStreamEndCapture(queue, &graph));
  return graph;
}

CUstream capturing(int mode = relaxed_mode, unsigned flags = CU_STREAM_NON_BLOCKING) {
  const CUstream queue = stream(flags);
  OK(cuStreamBeginCapture_v2(queue, mode));
  return queue;
}

std::size_t nodes_of(CUgraph graph) {
  std::size_t count = 0;
  OK(cuGraphGetNodes(graph, nullptr, &count));
  return count;
}

}  // namespace

CASE_EVERY_SCHEDULE("capture: work is collected, and done each time the graph is launched") {
  use_device();
  const CUdeviceptr pointer = device_memory(8);
  Bytes source = counting(8, 1);
  const CUstream queue = stream();
  OK(cuMemsetD8Async(pointer, 0, 8, queue));
  EQUAL(status_of(queue), 0);
  OK(cuStreamBeginCapture_v2(queue, relaxed_mode));
  EQUAL(status_of(queue), 1);
  OK(cuMemcpyHtoDAsync_v2(pointer, source.data(), 8, queue));
  OK(cuMemsetD8Async(pointer, 9, 2, queue));
  const CUgraph graph = ended(queue);
  EQUAL(status_of(queue), 0);
  EQUAL(nodes_of(graph), std::size_t{2});
  CHECK(read(pointer, 8, queue) == Bytes(8, 0));
  CUgraphExec executable = nullptr;
  OK(cuGraphInstantiateWithFlags(&executable, graph, 0));
  OK(cuGraphDestroy(graph));
  for (const unsigned char first : {1, 50}) {
    std::memcpy(source.data(), counting(8, first).data(), 8);  // read at each launch
    OK(cuGraphLaunch(executable, queue));
    Bytes expected = source;
    expected[0] = expected[1] = 9;
    CHECK(read(pointer, 8, queue) == expected);
  }
  OK(cuGraphExecDestroy(executable));
  FAILS(cuGraphLaunch(executable, queue), CUDA_ERROR_INVALID_VALUE);
}

CASE("capture: another stream joins through an event and must come back") {
  use_device();
  const CUdeviceptr pointer = device_memory(8);
  for (const bool comes_back : {true, false}) {
    const CUstream queue = capturing();
    const CUstream second = stream();
    const CUevent fork = event();
    const CUevent join = event();
    OK(cuEventRecord(fork, queue));
    EQUAL(status_of(second), 0);
    OK(cuStreamWaitEvent(second, fork, 0));
    EQUAL(status_of(second), 1);
    OK(cuMemsetD8Async(pointer, 1, 8, second));
    OK(cuEventRecord(join, second));
    CUgraph graph = nullptr;
    FAILS(cuStreamEndCapture(second, &graph), CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    if (comes_back) {
      OK(cuStreamWaitEvent(queue, join, 0));
      EQUAL(nodes_of(ended(queue)), std::size_t{3});
    } else {
      FAILS(cuStreamEndCapture(queue, &graph), CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
      CHECK(graph == nullptr);
    }
    EQUAL(status_of(second), 0);
  }
}

CASE("capture: waiting for and asking about captured work is refused and spoils the capture") {
  use_device();
  CUgraph graph = nullptr;
  CUstream queue = capturing();
  FAILS(cuStreamQuery(queue), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EQUAL(status_of(queue), 2);
  FAILS(cuMemsetD8Async(device_memory(8), 1, 8, queue), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  FAILS(cuStreamEndCapture(queue, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  EQUAL(status_of(queue), 0);
  queue = capturing();
  FAILS(cuStreamSynchronize(queue), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  FAILS(cuStreamEndCapture(queue, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  queue = capturing();
  FAILS(cuCtxSynchronize(), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  FAILS(cuStreamEndCapture(queue, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  queue = capturing();
  const CUevent mark = event();
  OK(cuEventRecord(mark, queue));
  FAILS(cuEventQuery(mark), CUDA_ERROR_CAPTURED_EVENT);
  FAILS(cuEventSynchronize(mark), CUDA_ERROR_CAPTURED_EVENT);
  ended(queue);
  FAILS(cuStreamWaitEvent(stream(), mark, 0), CUDA_ERROR_CAPTURED_EVENT);
  OK(cuEventRecord(mark, stream()));
  OK(cuEventSynchronize(mark));
}

CASE("capture: nothing crosses its border") {
  use_device();
  CUgraph graph = nullptr;
  const CUevent outside = event();
  CUstream queue = capturing();
  OK(cuStreamWaitEvent(queue, outside, 0));  // never recorded: nothing to wait for
  OK(cuEventRecord(outside, stream()));
  FAILS(cuStreamWaitEvent(queue, outside, 0), CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
  FAILS(cuStreamEndCapture(queue, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  queue = capturing();
  const CUstream other = capturing();
  const CUevent mark = event();
  OK(cuEventRecord(mark, queue));
  FAILS(cuStreamWaitEvent(other, mark, 0), CUDA_ERROR_STREAM_CAPTURE_MERGE);
  FAILS(cuStreamEndCapture(queue, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  FAILS(cuStreamEndCapture(other, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  FAILS(cuStreamEndCapture(other, &graph), CUDA_ERROR_ILLEGAL_STATE);
  FAILS(cuStreamBeginCapture_v2(nullptr, 0), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
}

CASE("capture: the legacy default stream cannot be used beside a captured blocking stream") {
  use_device();
  const CUdeviceptr pointer = device_memory(8);
  CUstream queue = capturing(relaxed_mode, 0);
  int status = -1;
  FAILS(cuStreamIsCapturing(nullptr, &status), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  EQUAL(status_of(queue), 1);  // the query broke nothing
  FAILS(cuMemsetD8Async(pointer, 1, 8, nullptr), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  CUgraph graph = nullptr;
  FAILS(cuStreamEndCapture(queue, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  queue = capturing(relaxed_mode, CU_STREAM_NON_BLOCKING);
  OK(cuMemsetD8Async(pointer, 1, 8, nullptr));
  EQUAL(nodes_of(ended(queue)), std::size_t{0});
}

CASE("capture: the modes say which thread may make unsafe calls") {
  const CUcontext context = use_device();
  CUgraph graph = nullptr;
  const auto allocates_elsewhere = [&](int thread_mode) {
    CUresult result = CUDA_SUCCESS;
    std::thread([&] {
      OK(cuCtxSetCurrent(context));
      OK(cuThreadExchangeStreamCaptureMode(&thread_mode));
      EQUAL(thread_mode, 0);
      CUdeviceptr pointer = 0;
      result = cuMemAlloc_v2(&pointer, 8);
    }).join();
    return result;
  };
  CUstream queue = capturing(global_mode);
  OK(allocates_elsewhere(thread_local_mode));
  FAILS(allocates_elsewhere(global_mode), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  FAILS(cuStreamEndCapture(queue, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  queue = capturing(thread_local_mode);
  OK(allocates_elsewhere(global_mode));
  CUdeviceptr pointer = 0;
  FAILS(cuMemAlloc_v2(&pointer, 8), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  FAILS(cuStreamEndCapture(queue, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  queue = capturing(relaxed_mode);
  OK(cuMemAlloc_v2(&pointer, 8));
  ended(queue);
}

CASE("capture: what is known about it") {
  use_device();
  const CUstream queue = capturing();
  int status = 0;
  std::uint64_t id = 0;
  OK(cuStreamGetCaptureInfo(queue, &status, &id));
  EQUAL(status, 1);
  CHECK(id != 0);
  FAILS(cuStreamBeginCapture_v2(queue, 0), CUDA_ERROR_ILLEGAL_STATE);
  CUresult elsewhere = CUDA_SUCCESS;
  ended(queue);
  const CUstream bound = capturing(global_mode);
  CUcontext context = nullptr;
  OK(cuCtxGetCurrent(&context));
  std::thread([&] {
    CUgraph graph = nullptr;
    OK(cuCtxSetCurrent(context));
    elsewhere = cuStreamEndCapture(bound, &graph);
  }).join();
  FAILS(elsewhere, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
  OK(cuStreamDestroy_v2(bound));  // ends the capture with it
  OK(cuMemFree_v2(device_memory(8)));
}
