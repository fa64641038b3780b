#include "test/harness/held.hpp"

#include <atomic>
#include <functional>
#include <vector>

using namespace test;

namespace {

/// Calls that free memory, each of memory that no work ever used.
std::vector<std::function<CUresult()>> calls_that_wait() {
  static Bytes registered(4096);
  const CUdeviceptr pointer = device_memory(64);
  CUdeviceptr managed = 0;
  OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
  unsigned char* const pinned = pinned_memory(64);
  OK(cuMemHostRegister_v2(registered.data(), registered.size(), 0));
  return {[=] { return cuMemFree_v2(pointer); }, [=] { return cuMemFree_v2(managed); },
          [=] { return cuMemFreeHost(pinned); },
          [] { return cuMemHostUnregister(registered.data()); }};
}

/// Holds a stream of another context of device 0.
Gate& hold_beside() {
  CUcontext made = nullptr;
  OK(cuCtxCreate_v2(&made, 0, 0));
  Gate& gate = hold(stream());
  OK(cuCtxPopCurrent_v2(nullptr));
  return gate;
}

Gate& hold_destroyed() {
  const CUstream queue = stream();
  Gate& gate = hold(queue);
  OK(cuStreamDestroy_v2(queue));
  return gate;
}

/// Holds a stream of a thread that has ended.
Gate& hold_per_thread() {
  CUcontext context = nullptr;
  OK(cuCtxGetCurrent(&context));
  Gate* gate = nullptr;
  std::thread([&] {
    OK(cuCtxSetCurrent(context));
    gate = &hold(reinterpret_cast<CUstream>(CU_STREAM_PER_THREAD));
  }).join();
  return *gate;
}

CUfunction kernel_that_does_nothing() {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  OK(cuModuleLoadData(&module,
                      ".version 6.0\n.target sm_60\n.address_size 64\n"
                      ".visible .entry nothing() { ret; }"));
  OK(cuModuleGetFunction(&function, module, "nothing"));
  return function;
}

}  // namespace

CASE_EVERY_SCHEDULE("held: taking memory away waits for the device, whoever keeps it busy") {
  use_device();
  const auto own = [] { return &hold(stream()); };
  const std::vector<std::function<Gate*()>> holds = {own, [] { return &hold_beside(); },
                                                     [] { return &hold_destroyed(); },
                                                     [] { return &hold_per_thread(); }};
  for (const auto& held : holds) {
    for (const auto& call : calls_that_wait()) {
      Gate& gate = *held();
      Elsewhere taking(call);
      const bool waited = taking.waits();
      gate.open();
      CHECK(waited);
      OK(taking.result());
    }
  }
}

CASE_EVERY_SCHEDULE(
    "held: memory waits for the devices that reach it: its own, peers, all for the host's") {
  const CUcontext second = use_device(1);
  const CUcontext first = use_device(0);
  OK(cuCtxPushCurrent_v2(second));
  Gate& gate = hold(stream());
  OK(cuCtxPopCurrent_v2(nullptr));
  OK(cuMemFree_v2(device_memory(8)));  // inaccessible to the second device
  unsigned char* const pinned = pinned_memory(8);
  Elsewhere freeing_pinned([=] { return cuMemFreeHost(pinned); });  // accessible to every device
  const bool pinned_waited = freeing_pinned.waits();
  OK(cuCtxPushCurrent_v2(second));
  OK(cuCtxEnablePeerAccess(first, 0));
  OK(cuCtxPopCurrent_v2(nullptr));
  const CUdeviceptr pointer = device_memory(8);
  Elsewhere freeing([=] { return cuMemFree_v2(pointer); });
  const bool waited = freeing.waits() && pinned_waited;
  gate.open();
  CHECK(waited);
  OK(freeing.result());
  OK(freeing_pinned.result());
}

CASE_EVERY_SCHEDULE("held: while one thread waits for the device, the others go on") {
  const CUcontext context = use_device();
  const CUfunction nothing = kernel_that_does_nothing();
  const CUdeviceptr unused = device_memory(8);
  const CUstream held = stream();
  const CUevent behind = event();
  Gate& gate = hold(held);
  OK(cuEventRecord(behind, held));
  {
    Elsewhere freeing([=] { return cuMemFree_v2(unused); });
    const bool waited = freeing.waits();
    Elsewhere others([=]() -> CUresult {
      const CUdeviceptr pointer = device_memory(64);
      const CUstream queue = stream();
      const CUevent done = event();
      std::atomic<int> called{0};
      OK(cuMemsetD8Async(pointer, 7, 64, queue));
      OK(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, queue, nullptr, nullptr));
      OK(cuLaunchHostFunc(
          queue, [](void* data) { ++*static_cast<std::atomic<int>*>(data); }, &called));
      OK(cuEventRecord(done, queue));
      while (cuEventQuery(done) == CUDA_ERROR_NOT_READY) std::this_thread::yield();
      EQUAL(called.load(), 1);
      CHECK(read(pointer, 64, queue) == Bytes(64, 7));
      OK(cuMemsetD8_v2(pointer, 8, 64));
      CUdeviceptr pooled = 0;
      OK(cuMemAllocAsync(&pooled, 8, queue));
      OK(cuMemFreeAsync(pooled, queue));
      OK(cuStreamSynchronize(queue));
      OK(cuStreamDestroy_v2(queue));
      OK(cuEventDestroy_v2(done));
      CUcontext again = nullptr;
      OK(cuDevicePrimaryCtxRetain(&again, 0));
      CHECK(again == context);
      return cuDevicePrimaryCtxRelease_v2(0);
    });
    OK(others.result());
    const bool still = freeing.waits();
    gate.open();
    CHECK(waited && still);
  }
  OK(cuStreamQuery(held));
}

CASE_EVERY_SCHEDULE("held: asking about held work never waits for it") {
  use_device();
  const CUstream held = stream();
  const CUstream behind = stream();
  const CUevent mark = event();
  Gate& gate = hold(held);
  OK(cuEventRecord(mark, held));
  OK(cuStreamWaitEvent(behind, mark, 0));
  OK(cuMemsetD8Async(device_memory(8), 1, 8, behind));
  for (int look = 0; look < 40; ++look) {
    FAILS(cuEventQuery(mark), CUDA_ERROR_NOT_READY);
    FAILS(cuStreamQuery(held), CUDA_ERROR_NOT_READY);
    FAILS(cuStreamQuery(behind), CUDA_ERROR_NOT_READY);
  }
  gate.open();
  while (cuStreamQuery(behind) == CUDA_ERROR_NOT_READY) std::this_thread::yield();
  OK(cuEventQuery(mark));
}

CASE_EVERY_SCHEDULE("held: two held streams are held apart") {
  use_device();
  const CUstream first = stream();
  const CUstream second = stream();
  Gate& first_gate = hold(first);
  Gate& second_gate = hold(second);
  Elsewhere waiting([=] { return cuStreamSynchronize(first); });
  const bool waited = waiting.waits();
  second_gate.open();
  OK(cuStreamSynchronize(second));
  first_gate.open();
  CHECK(waited);
  OK(waiting.result());
}

CASE_EVERY_SCHEDULE("held: giving memory of a pool back waits for nobody") {
  use_device();
  const CUstream queue = stream();
  CUdeviceptr first = 0;
  CUdeviceptr second = 0;
  OK(cuMemAllocAsync(&first, 8, queue));
  OK(cuMemAllocAsync(&second, 8, queue));
  OK(cuStreamSynchronize(queue));
  Gate& gate = hold(stream());
  OK(cuMemFreeAsync(first, queue));
  OK(cuMemFree_v2(second));
  OK(cuStreamSynchronize(queue));
  gate.open();
}

PROGRAM("program: exit while a thread waits for a held device") {
  use_device();
  const CUdeviceptr pointer = device_memory(8);
  hold(stream());
  CUcontext context = nullptr;
  OK(cuCtxGetCurrent(&context));
  std::thread([=] {
    cuCtxSetCurrent(context);
    cuMemFree_v2(pointer);
  }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
}

CASE("held: a process ends while its device is held") {
  for (const char* schedule : {"lazy", "eager", "random:3"}) {
    const Ending ending =
        run_program("program: exit while a thread waits for a held device",
                    {{"CUDA_SIMULATOR_SCHEDULE", schedule}, {"CUDA_SIMULATOR_LEAKS", "1"}});
    EQUAL(ending.status, 0);
    CHECK(ending.error_text.find("leaks: 1 allocation, 1 stream, 0 events\n") != std::string::npos);
  }
}
