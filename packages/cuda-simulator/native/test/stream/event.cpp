#include <cmath>

#include "test/harness/gpu.hpp"

using namespace test;

CASE("event: a wait sees the last record before it, and nothing later") {
  use_device();
  unsigned char* pinned = pinned_memory(2);
  const auto address = reinterpret_cast<CUdeviceptr>(pinned);
  const CUstream producer = stream();
  const CUstream consumer = stream();
  const CUevent mark = event();
  OK(cuMemsetD8Async(address, 1, 1, producer));
  OK(cuEventRecord(mark, producer));
  OK(cuStreamWaitEvent(consumer, mark, 0));
  OK(cuMemsetD8Async(address + 1, 1, 1, producer));
  OK(cuEventRecord(mark, producer));  // the wait above keeps the first record
  OK(cuStreamSynchronize(consumer));
  CHECK(Bytes(pinned, pinned + 2) == (Bytes{1, poison}));
  FAILS(cuEventQuery(mark), CUDA_ERROR_NOT_READY);
  OK(cuEventSynchronize(mark));
  OK(cuEventQuery(mark));
  CHECK(Bytes(pinned, pinned + 2) == (Bytes{1, 1}));
}

CASE_EVERY_SCHEDULE("event: never recorded counts as complete, and is nothing to wait for") {
  use_device();
  const CUevent mark = event();
  OK(cuEventQuery(mark));
  OK(cuEventSynchronize(mark));
  const CUstream queue = stream();
  OK(cuStreamWaitEvent(queue, mark, 0));
  OK(cuStreamWaitEvent(queue, mark, 1));  // as external to the graph, were it captured
  FAILS(cuStreamWaitEvent(queue, mark, 2), CUDA_ERROR_INVALID_VALUE);
  OK(cuStreamQuery(queue));
}

CASE_EVERY_SCHEDULE("event: destroyed while waited for, its wait still holds") {
  use_device();
  const CUdeviceptr pointer = device_memory(8);
  const CUstream producer = stream();
  const CUstream consumer = stream();
  const CUevent mark = event();
  OK(cuMemsetD8Async(pointer, 4, 8, producer));
  OK(cuEventRecord(mark, producer));
  OK(cuStreamWaitEvent(consumer, mark, 0));
  OK(cuEventDestroy_v2(mark));
  FAILS(cuEventQuery(mark), CUDA_ERROR_INVALID_HANDLE);
  FAILS(cuEventDestroy_v2(mark), CUDA_ERROR_INVALID_HANDLE);
  CHECK(read(pointer, 8, consumer) == Bytes(8, 4));
}

CASE("event: a free handle is given again, the last freed first, and says nothing of the old") {
  use_device();
  unsigned char* pinned = pinned_memory(1);
  const CUstream producer = stream();
  const CUstream consumer = stream();
  const CUevent first = event();
  const CUevent second = event();
  OK(cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(pinned), 1, 1, producer));
  OK(cuEventRecord(second, producer));
  OK(cuStreamWaitEvent(consumer, second, 0));
  OK(cuEventDestroy_v2(first));
  OK(cuEventDestroy_v2(second));
  CHECK(event() == second);
  CHECK(event() == first);
  OK(cuEventQuery(second));  // never recorded
  OK(cuEventRecord(second, stream()));
  OK(cuStreamSynchronize(consumer));  // for the old record
  EQUAL(static_cast<int>(pinned[0]), 1);
  const CUevent fresh = event();
  CHECK(fresh != first && fresh != second);
}

CASE("event: the time from or to a record that is not reached is not ready") {
  use_device();
  const CUevent start = event(0);
  const CUevent end = event(0);
  const CUstream queue = stream();
  const CUstream other = stream();
  float time = -1;
  OK(cuEventRecord(start, queue));
  OK(cuEventRecord(end, other));
  FAILS(cuEventElapsedTime(&time, start, end), CUDA_ERROR_NOT_READY);
  OK(cuStreamSynchronize(queue));
  FAILS(cuEventElapsedTime(&time, start, end), CUDA_ERROR_NOT_READY);
  FAILS(cuEventElapsedTime_v2(&time, end, start), CUDA_ERROR_NOT_READY);
  OK(cuStreamSynchronize(other));
  OK(cuEventElapsedTime(&time, start, end));
  CHECK(time >= 0);
}

CASE("event: those of two contexts have no time between them") {
  CUevent events[2] = {};
  for (const CUdevice device : {0, 1}) {
    use_device(device);
    events[device] = event(0);
    OK(cuEventRecord(events[device], stream()));
    OK(cuEventSynchronize(events[device]));
  }
  float time = 0;
  FAILS(cuEventElapsedTime(&time, events[0], events[1]), CUDA_ERROR_INVALID_HANDLE);
  FAILS(cuEventElapsedTime(&time, events[1], events[0]), CUDA_ERROR_INVALID_HANDLE);
  OK(cuEventElapsedTime(&time, events[1], events[1]));
}

CASE_EVERY_SCHEDULE("event: measures the time between two records") {
  use_device();
  const CUevent start = event(0);
  const CUevent end = event(0);
  const CUevent without = event();
  float time = -1;
  FAILS(cuEventElapsedTime(&time, start, end), CUDA_ERROR_INVALID_HANDLE);
  const CUstream queue = stream();
  const CUdeviceptr pointer = device_memory(1 << 20);
  OK(cuEventRecord(start, queue));
  OK(cuMemsetD8Async(pointer, 4, 1 << 20, queue));
  OK(cuEventRecord(end, queue));
  OK(cuEventRecord(without, queue));
  OK(cuEventSynchronize(without));
  OK(cuEventElapsedTime(&time, start, end));
  CHECK(time > 0 && time < 60000);
  FAILS(cuEventElapsedTime_v2(&time, start, without), CUDA_ERROR_INVALID_HANDLE);
}

CASE("event: belongs to its context; waits cross devices") {
  const CUcontext second = use_device(1);
  const CUcontext first = use_device(0);
  const CUdeviceptr here = device_memory(16);
  const CUevent mark = event();
  const CUstream producer = stream();
  OK(cuMemsetD8Async(here, 6, 16, producer));
  OK(cuEventRecord(mark, producer));
  OK(cuCtxSetCurrent(second));
  const CUdeviceptr there = device_memory(16);
  const CUstream consumer = stream();
  FAILS(cuEventRecord(mark, consumer), CUDA_ERROR_INVALID_HANDLE);
  OK(cuStreamWaitEvent(consumer, mark, 0));
  OK(cuMemcpyPeerAsync(there, second, here, first, 16, consumer));
  CHECK(read(there, 16, consumer) == Bytes(16, 6));
}

CASE("event: flags are checked") {
  use_device();
  CUevent made = nullptr;
  FAILS(cuEventCreate(&made, 8), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuEventCreate(&made, CU_EVENT_INTERPROCESS), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuEventCreate(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  const CUevent mark = event();
  const CUstream queue = stream();
  FAILS(cuEventRecordWithFlags(mark, queue, 2), CUDA_ERROR_INVALID_VALUE);
  OK(cuEventRecord(mark, queue));
  FAILS(cuStreamWaitEvent(queue, mark, 2), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuStreamWaitEvent(queue, mark, 0x80000000u), CUDA_ERROR_INVALID_VALUE);
  OK(cuStreamWaitEvent(queue, mark, 1));
}
