#include <atomic>
#include <thread>

#include "test/harness/gpu.hpp"

using namespace test;

namespace {

/// Copies 64 bytes through two streams; the second waits for the first only if `with_wait`.
Bytes through_two_streams(bool with_wait) {
  use_device();
  const Bytes bytes = counting(64, 1);
  const CUdeviceptr first = device_memory(64);
  const CUdeviceptr second = device_memory(64);
  const CUstream producer = stream();
  const CUstream consumer = stream();
  const CUevent ready = event();
  OK(cuMemcpyHtoDAsync_v2(first, bytes.data(), 64, producer));
  OK(cuEventRecord(ready, producer));
  if (with_wait) OK(cuStreamWaitEvent(consumer, ready, 0));
  OK(cuMemcpyDtoDAsync_v2(second, first, 64, consumer));
  return read(second, 64, consumer);
}

}  // namespace

CASE_EVERY_SCHEDULE("schedule: a stream that waits for an event sees the work before it") {
  CHECK(through_two_streams(true) == counting(64, 1));
}

CASE("schedule: a missing wait is seen, lazily, every time") {
  for (int round = 0; round < 50; ++round) {
    CHECK(through_two_streams(false) == Bytes(64, poison));
  }
}

CASE("schedule: nothing runs until something waits for it") {
  use_device();
  unsigned char* pinned = pinned_memory(4);
  const CUstream queue = stream();
  OK(cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(pinned), 5, 4, queue));
  EQUAL(static_cast<int>(pinned[0]), static_cast<int>(poison));
  FAILS(cuStreamQuery(queue), CUDA_ERROR_NOT_READY);
  EQUAL(static_cast<int>(pinned[0]), static_cast<int>(poison));
  OK(cuStreamSynchronize(queue));
  EQUAL(static_cast<int>(pinned[0]), 5);
  OK(cuStreamQuery(queue));
}

CASE("schedule: only what is waited for runs, and what it depends on") {
  use_device();
  unsigned char* pinned = pinned_memory(4);
  const auto address = reinterpret_cast<CUdeviceptr>(pinned);
  const CUstream first = stream();
  const CUstream second = stream();
  const CUevent half_way = event();
  OK(cuMemsetD8Async(address, 1, 1, first));
  OK(cuEventRecord(half_way, first));
  OK(cuMemsetD8Async(address + 1, 1, 1, first));  // after the event
  OK(cuStreamWaitEvent(second, half_way, 0));
  OK(cuMemsetD8Async(address + 2, 1, 1, second));
  OK(cuMemsetD8Async(address + 3, 1, 1, stream()));
  OK(cuStreamSynchronize(second));
  CHECK(Bytes(pinned, pinned + 4) == (Bytes{1, poison, 1, poison}));
  OK(cuCtxSynchronize());
  CHECK(Bytes(pinned, pinned + 4) == (Bytes{1, 1, 1, 1}));
}

CASE("schedule: the 16th query of the same event or stream runs its work") {
  use_device();
  const CUdeviceptr pointer = device_memory(8);
  const CUstream queue = stream();
  const CUevent done = event();
  OK(cuMemsetD8Async(pointer, 1, 8, queue));
  OK(cuEventRecord(done, queue));
  for (int look = 1; look < 16; ++look) FAILS(cuEventQuery(done), CUDA_ERROR_NOT_READY);
  for (int look = 1; look < 16; ++look) FAILS(cuStreamQuery(queue), CUDA_ERROR_NOT_READY);
  OK(cuEventQuery(done));
  OK(cuStreamQuery(queue));
  OK(cuMemsetD8Async(pointer, 2, 8, queue));
  for (int look = 1; look < 16; ++look) FAILS(cuStreamQuery(queue), CUDA_ERROR_NOT_READY);
  OK(cuStreamQuery(queue));
}

CASE_WITH("schedule: CUDA_SIMULATOR_LAZY_QUERIES sets which query runs the work",
          {"CUDA_SIMULATOR_LAZY_QUERIES", "2"}) {
  use_device();
  const CUstream queue = stream();
  OK(cuMemsetD8Async(device_memory(8), 1, 8, queue));
  FAILS(cuStreamQuery(queue), CUDA_ERROR_NOT_READY);
  OK(cuStreamQuery(queue));
}

CASE_WITH("schedule: eager work is done without anybody waiting",
          {"CUDA_SIMULATOR_SCHEDULE", "eager"}) {
  use_device();
  const CUstream queue = stream();
  OK(cuMemsetD8Async(device_memory(8), 1, 8, queue));
  for (int tries = 0; cuStreamQuery(queue) != CUDA_SUCCESS && tries < 10000; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  OK(cuStreamQuery(queue));
}

CASE_EVERY_SCHEDULE("schedule: a long chain of waits over many streams ends") {
  use_device();
  const CUdeviceptr counter = device_memory(4);
  const CUstream queues[] = {stream(), stream(), stream(0), stream()};
  const CUevent link = event();
  const std::uint32_t rounds = 400;
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    const CUstream queue = queues[round % 4];
    OK(cuStreamWaitEvent(queue, link, 0));
    OK(cuMemsetD32Async(counter, round, 1, queue));
    OK(cuEventRecord(link, queue));
  }
  OK(cuEventSynchronize(link));
  std::uint32_t last = 0;
  OK(cuMemcpyDtoH_v2(&last, counter, 4));
  EQUAL(last, rounds);
}

CASE("schedule: a very long lazy queue neither overflows the stack nor is forgotten") {
  use_device();
  const CUdeviceptr pointer = device_memory(4);
  const CUstream queue = stream();
  for (std::uint32_t round = 0; round < 200000; ++round) {
    OK(cuMemsetD32Async(pointer, round, 1, queue));
  }
  OK(cuStreamSynchronize(queue));
  std::uint32_t last = 0;
  OK(cuMemcpyDtoH_v2(&last, pointer, 4));
  EQUAL(last, 199999u);
}

CASE_EVERY_SCHEDULE("schedule: threads that enqueue, wait, query and free at once") {
  const CUcontext context = use_device();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      OK(cuCtxSetCurrent(context));
      const CUstream queue = stream(thread % 2 == 0 ? CU_STREAM_NON_BLOCKING : 0);
      const CUevent done = event();
      for (int round = 0; round < 30; ++round) {
        const Bytes bytes = counting(512, static_cast<unsigned char>(thread * 31 + round));
        const CUdeviceptr pointer = device_memory(512);
        OK(cuMemcpyHtoDAsync_v2(pointer, bytes.data(), 512, queue));
        OK(cuEventRecord(done, queue));
        while (cuEventQuery(done) == CUDA_ERROR_NOT_READY) std::this_thread::yield();
        if (read(pointer, 512, queue) != bytes) ++wrong;
        OK(cuMemFree_v2(pointer));
      }
      OK(cuStreamDestroy_v2(queue));
      OK(cuEventDestroy_v2(done));
    });
  }
  for (auto& thread : threads) thread.join();
  EQUAL(wrong.load(), 0);
}
