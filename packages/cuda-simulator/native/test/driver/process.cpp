#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "test/harness/gpu.hpp"

using namespace test;

namespace {

[[maybe_unused]] std::size_t resident_pages() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  file >> total >> resident;
  return resident;
}

/// Leaves work in flight on every kind of stream at the end of main.
void leave_work_behind() {
  use_device();
  for (int round = 0; round < 50; ++round) {
    const CUstream queue = round % 2 == 0 ? stream() : nullptr;
    const CUdeviceptr pointer = device_memory(1 << 20);
    OK(cuMemsetD8Async(pointer, 1, 1 << 20, queue));
    OK(cuMemcpyDtoHAsync_v2(pinned_memory(1 << 20), pointer, 1 << 20, queue));
  }
}

}  // namespace

PROGRAM("program: leaks") {
  use_device();
  device_memory(768);
  pinned_memory(64);
  OK(cuMemFree_v2(device_memory(8)));
  stream();
  event();
  event();
}

PROGRAM("program: tidy") {
  use_device();
  OK(cuMemFree_v2(device_memory(8)));
  OK(cuStreamDestroy_v2(stream()));
  OK(cuEventDestroy_v2(event()));
  OK(cuDevicePrimaryCtxRelease_v2(0));
}

PROGRAM("program: releases early") {
  use_device();
  device_memory(10);
  stream();
  OK(cuDevicePrimaryCtxRelease_v2(0));
}

PROGRAM("program: exit with work pending") { leave_work_behind(); }

PROGRAM("program: exit inside a host function") {
  use_device();
  OK(cuLaunchHostFunc(
      stream(), [](void*) { std::this_thread::sleep_for(std::chrono::hours(1)); }, nullptr));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

PROGRAM("program: calls the driver from an exit handler") {
  std::atexit([] {
    CUdeviceptr pointer = 0;
    if (cuMemAlloc_v2(&pointer, 8) != 0 || cuMemFree_v2(pointer) != 0) _exit(9);
  });
  use_device();
}

PROGRAM("program: another thread calls to the end") {
  static std::atomic<bool> has_begun{false};
  static std::atomic<bool> has_seen_it{false};
  std::atexit([] {  // runs after the driver's
    while (!has_seen_it) std::this_thread::yield();
  });
  use_device();
  std::thread([] {
    int count = 0;
    while (cuDeviceGetCount(&count) != CUDA_ERROR_DEINITIALIZED) has_begun = true;
    has_seen_it = true;
  }).detach();
  while (!has_begun) std::this_thread::yield();
}

PROGRAM("program: another thread is in the driver at the end") {
  use_device();
  static CUstream busy = stream();
  OK(cuLaunchHostFunc(
      busy, [](void*) { std::this_thread::sleep_for(std::chrono::hours(1)); }, nullptr));
  std::thread([] {
    use_device();
    cuStreamSynchronize(busy);
  }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

PROGRAM("program: memory in an exit handler after the driver's") {
  static const void* pinned = nullptr;
  // write() reads the byte, and reports an inaccessible address as an error.
  std::atexit([] {
    int ends[2] = {};
    if (pipe(ends) != 0) _exit(8);
    if (write(ends[1], pinned, 1) != 1) _exit(9);
  });
  use_device();
  pinned = pinned_memory(8);
}

PROGRAM("program: little address space") {
  const rlim_t limit = rlim_t{512} << 20;
  const rlimit limits{limit, limit};
  if (setrlimit(RLIMIT_AS, &limits) != 0) std::exit(3);
  use_device();
  const Bytes bytes = counting(1000);
  const CUdeviceptr pointer = device_memory(std::size_t{8} << 20);
  OK(cuMemcpyHtoD_v2(pointer, bytes.data(), 1000));
  CHECK(read(pointer, 1000, nullptr) == bytes);
  CUdeviceptr more = 0;
  FAILS(cuMemAlloc_v2(&more, std::size_t{2} << 30), CUDA_ERROR_OUT_OF_MEMORY);
}

CASE("process: a leak report names what is left, on request") {
  const Ending leaks = run_program("program: leaks", {{"CUDA_SIMULATOR_LEAKS", "1"}});
  EQUAL(leaks.status, 0);
  CHECK(leaks.error_text.find("leaks: 2 allocations, 1 stream, 2 events\n") != std::string::npos);
  CHECK(leaks.error_text.find("left: 768 bytes of device memory at 0x") != std::string::npos);
  CHECK(leaks.error_text.find("left: 64 bytes of pinned memory at 0x") != std::string::npos);
  const Ending tidy = run_program("program: tidy", {{"CUDA_SIMULATOR_LEAKS", "1"}});
  EQUAL(tidy.error_text, "cuda-simulator: leaks: 0 allocations, 0 streams, 0 events\n");
  EQUAL(run_program("program: leaks").error_text, "");
  const Ending early = run_program("program: releases early", {{"CUDA_SIMULATOR_LEAKS", "1"}});
  CHECK(early.error_text.find("leaks: 1 allocation, 1 stream, 0 events\n") != std::string::npos);
}

CASE("process: ends at once, with work pending, under every schedule") {
  for (const char* schedule : {"lazy", "eager", "random:3"}) {
    const Environment environment{{"CUDA_SIMULATOR_SCHEDULE", schedule}};
    for (const char* program :
         {"program: exit with work pending", "program: exit inside a host function",
          "program: calls the driver from an exit handler"}) {
      const Ending ending = run_program(program, environment);
      EQUAL(ending.error_text, "");
      EQUAL(ending.status, 0);
    }
  }
}

CASE("process: the driver ends with the process, on request") {
  const std::string later = "cuda-simulator: teardown: cuDeviceGetCount was called after it\n";
  const std::string meanwhile = "teardown: 1 calls of other threads are under way\n";
  for (const char* schedule : {"lazy", "eager", "random:3"}) {
    const Environment environment{{"CUDA_SIMULATOR_SCHEDULE", schedule},
                                  {"CUDA_SIMULATOR_TEARDOWN", "1"}};
    for (const char* program :
         {"program: exit with work pending", "program: exit inside a host function"}) {
      const Ending ending = run_program(program, environment);
      EQUAL(ending.error_text, "");
      EQUAL(ending.status, 0);
    }
    const Ending calls = run_program("program: another thread calls to the end", environment);
    EQUAL(calls.status, 0);
    CHECK(calls.error_text.find(later) != std::string::npos);
    const Ending busy =
        run_program("program: another thread is in the driver at the end", environment);
    EQUAL(busy.status, 0);
    CHECK(busy.error_text.find(meanwhile) != std::string::npos);
    // Once, no matter how often the driver was initialised.
    EQUAL(busy.error_text.find(meanwhile), busy.error_text.rfind(meanwhile));
    const char* const touches = "program: memory in an exit handler after the driver's";
    EQUAL(run_program(touches, environment).status, 9);
    EQUAL(run_program(touches).status, 0);
  }
}

#if !defined(__SANITIZE_ADDRESS__) && \
    !defined(                         \
        __SANITIZE_THREAD__)  // they need terabytes themselves, and keep shadows of what is freed
CASE("process: gets by with little address space") {
  const Ending ending = run_program("program: little address space");
  EQUAL(ending.error_text, "");
  EQUAL(ending.status, 0);
}

CASE("process: freed memory goes back to the system") {
  use_device();
  OK(cuMemFree_v2(device_memory(std::size_t{32} << 20)));
  const std::size_t before = resident_pages();
  for (int round = 0; round < 20; ++round) {
    OK(cuMemFree_v2(device_memory(std::size_t{32} << 20)));
    OK(cuMemFreeHost(pinned_memory(std::size_t{8} << 20)));
  }
  const std::size_t grown = resident_pages() - std::min(before, resident_pages());
  CHECK(grown * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) < std::size_t{16} << 20);
}
#endif

CASE_WITH("process: closing the library while its threads live is harmless",
          {"CUDA_SIMULATOR_SCHEDULE", "eager"}) {
  use_device();
  OK(cuMemsetD8Async(device_memory(1 << 20), 1, 1 << 20, stream()));
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  CHECK(library != nullptr);
  if (library == nullptr) return;
  dlclose(library);
  dlclose(library);
  OK(cuCtxSynchronize());
}
