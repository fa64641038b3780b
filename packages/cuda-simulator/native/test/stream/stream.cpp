#include <atomic>
#include <set>
#include <thread>

#include "test/harness/gpu.hpp"

using namespace test;

CASE("stream: the legacy default stream joins blocking streams, both ways, and no others") {
  use_device();
  unsigned char* pinned = pinned_memory(3);
  const auto address = reinterpret_cast<CUdeviceptr>(pinned);
  const CUstream blocking = stream(0);
  const CUstream free_running = stream(CU_STREAM_NON_BLOCKING);
  OK(cuMemsetD8Async(address, 1, 1, blocking));
  OK(cuMemsetD8Async(address + 1, 1, 1, free_running));
  OK(cuMemsetD8Async(address + 2, 1, 1, nullptr));
  OK(cuStreamSynchronize(reinterpret_cast<CUstream>(CU_STREAM_LEGACY)));
  CHECK(Bytes(pinned, pinned + 3) == (Bytes{1, poison, 1}));
  OK(cuMemsetD8Async(address + 2, 2, 1, nullptr));
  OK(cuMemsetD8Async(address + 1, 2, 1, free_running));
  OK(cuStreamSynchronize(free_running));
  CHECK(Bytes(pinned, pinned + 3) == (Bytes{1, 2, 1}));
  OK(cuMemsetD8Async(address, 2, 1, blocking));
  OK(cuStreamSynchronize(blocking));
  CHECK(Bytes(pinned, pinned + 3) == (Bytes{2, 2, 2}));
}

CASE("stream: the per-thread default stream is another one in each thread") {
  const CUcontext context = use_device();
  const auto per_thread = reinterpret_cast<CUstream>(CU_STREAM_PER_THREAD);
  unsigned char* pinned = pinned_memory(1);
  OK(cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(pinned), 1, 1, per_thread));
  std::thread([&] {
    OK(cuCtxSetCurrent(context));
    OK(cuStreamQuery(per_thread));
    OK(cuStreamSynchronize(per_thread));
  }).join();
  EQUAL(static_cast<int>(pinned[0]), static_cast<int>(poison));
  OK(cuStreamSynchronize(per_thread));
  EQUAL(static_cast<int>(pinned[0]), 1);
}

CASE("stream: says what it is") {
  const CUcontext context = use_device(1);
  CUstream queue = nullptr;
  OK(cuStreamCreateWithPriority(&queue, CU_STREAM_NON_BLOCKING, -99));
  unsigned flags = 0;
  int priority = 0;
  int capturing = -1;
  CUcontext owner = nullptr;
  CUdevice device = -1;
  unsigned long long id = 0;
  unsigned long long other = 0;
  OK(cuStreamGetFlags(queue, &flags));
  OK(cuStreamGetPriority(queue, &priority));
  OK(cuStreamIsCapturing(queue, &capturing));
  OK(cuStreamGetCtx(queue, &owner));
  CHECK(owner == context);
  CUgreenCtx green = reinterpret_cast<CUgreenCtx>(1);
  OK(cuStreamGetCtx_v2(queue, &owner, &green));
  CHECK(green == nullptr);
  OK(cuStreamGetDevice(queue, &device));
  OK(cuStreamGetId(queue, &id));
  OK(cuStreamGetId(stream(), &other));
  EQUAL(flags, CU_STREAM_NON_BLOCKING);
  EQUAL(priority, -5);
  EQUAL(capturing, 0);
  CHECK(owner == context);
  EQUAL(device, 1);
  CHECK(id != other);
  FAILS(cuStreamCreate(&queue, 2), CUDA_ERROR_INVALID_VALUE);
}

CASE("stream: a free handle is given again, the last freed first; an id never") {
  use_device();
  std::set<unsigned long long> ids;
  const auto id_of = [](CUstream queue) {
    unsigned long long id = 0;
    OK(cuStreamGetId(queue, &id));
    return id;
  };
  const auto is_new = [&](CUstream queue) { return ids.insert(id_of(queue)).second; };
  const auto per_thread = reinterpret_cast<CUstream>(CU_STREAM_PER_THREAD);
  const CUstream first = stream();
  const CUstream second = stream();
  const CUstream kept = stream();
  CHECK(is_new(first) && is_new(second) && is_new(kept));
  OK(cuStreamDestroy_v2(first));
  OK(cuStreamDestroy_v2(second));
  CHECK(is_new(nullptr) && is_new(per_thread));  // these need no handle
  CHECK(stream() == second);
  CHECK(stream() == first);
  CHECK(is_new(second) && is_new(first));
  const CUstream fresh = stream();
  CHECK(fresh != first && fresh != second && fresh != kept && is_new(fresh));
  const unsigned long long legacy = id_of(nullptr);
  EQUAL(id_of(nullptr), legacy);
  use_device(1);
  CHECK(is_new(nullptr) && is_new(per_thread));
}

CASE("stream: what ends with its context frees its handle") {
  use_device();
  CUcontext made = nullptr;
  OK(cuCtxCreate_v2(&made, 0, 0));
  const CUstream queue = stream();
  const CUevent mark = event();
  OK(cuCtxDestroy_v2(made));
  FAILS(cuStreamQuery(queue), CUDA_ERROR_INVALID_HANDLE);
  CHECK(stream() == queue);
  CHECK(event() == mark);
}

CASE("stream: lazily, work of a destroyed stream is none of the stream that got its handle") {
  use_device();
  unsigned char* pinned = pinned_memory(2);
  const auto address = reinterpret_cast<CUdeviceptr>(pinned);
  const CUstream queue = stream();
  OK(cuMemsetD8Async(address, 1, 1, queue));
  OK(cuStreamDestroy_v2(queue));
  CHECK(stream() == queue);
  OK(cuStreamQuery(queue));
  OK(cuMemsetD8Async(address + 1, 1, 1, queue));
  OK(cuStreamSynchronize(queue));
  CHECK(Bytes(pinned, pinned + 2) == (Bytes{poison, 1}));
  OK(cuCtxSynchronize());
  CHECK(Bytes(pinned, pinned + 2) == (Bytes{1, 1}));
}

CASE_EVERY_SCHEDULE("stream: work of a destroyed stream still runs; its handle is gone") {
  use_device();
  unsigned char* pinned = pinned_memory(1);
  const CUstream queue = stream();
  OK(cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(pinned), 1, 1, queue));
  OK(cuStreamDestroy_v2(queue));
  FAILS(cuStreamQuery(queue), CUDA_ERROR_INVALID_HANDLE);
  FAILS(cuStreamDestroy_v2(queue), CUDA_ERROR_INVALID_HANDLE);
  FAILS(cuStreamSynchronize(reinterpret_cast<CUstream>(0x1234)), CUDA_ERROR_INVALID_HANDLE);
  OK(cuCtxSynchronize());
  EQUAL(static_cast<int>(pinned[0]), 1);
}

CASE_EVERY_SCHEDULE("stream: a host function runs in stream order, on no thread of the program") {
  use_device();
  struct Seen {
    unsigned char* pinned = nullptr;
    std::thread::id thread;
    int value = 0;
    CUresult inner = CUDA_SUCCESS;
  } seen{pinned_memory(1), {}, 0, CUDA_SUCCESS};
  const CUstream queue = stream();
  OK(cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(seen.pinned), 1, 1, queue));
  OK(cuLaunchHostFunc(
      queue,
      [](void* data) {
        auto& what = *static_cast<Seen*>(data);
        what.thread = std::this_thread::get_id();
        what.value = *what.pinned;
        what.inner = cuCtxSynchronize();
      },
      &seen));
  OK(cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(seen.pinned), 2, 1, queue));
  OK(cuStreamSynchronize(queue));
  EQUAL(seen.value, 1);
  EQUAL(static_cast<int>(*seen.pinned), 2);
  CHECK(seen.thread != std::thread::id() && seen.thread != std::this_thread::get_id());
  FAILS(seen.inner, CUDA_ERROR_NOT_PERMITTED);
  OK(cuCtxSynchronize());  // calls are allowed again after the function
}

CASE("stream: lazily, a host function waits to be waited for like other work") {
  use_device();
  std::atomic<bool> ran{false};
  const CUstream queue = stream();
  OK(cuLaunchHostFunc(
      queue, [](void* data) { *static_cast<std::atomic<bool>*>(data) = true; }, &ran));
  for (int look = 1; look < 16; ++look) FAILS(cuStreamQuery(queue), CUDA_ERROR_NOT_READY);
  CHECK(!ran);
  while (cuStreamQuery(queue) == CUDA_ERROR_NOT_READY) std::this_thread::yield();
  CHECK(ran);
}
