#include <algorithm>
#include <thread>

#include "test/ptx/program.hpp"

// What is told about a fault: on stderr, and by cuGetErrorString.

using namespace test;

namespace {

constexpr const char* store_past_the_end = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry axpy(.param .u64 data)
{
  .reg .b32 %r<4>;
  .reg .b64 %d<4>;
  .loc 1 17 3
  ld.param.u64 %d0, [data];
  mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, 8, %r0;
  mul.wide.u32 %d1, %r2, 4;
  add.u64 %d2, %d0, %d1;
  .loc 1 18 5
  st.global.u32 [%d2], %r2;
  ret;
}
.file 1 "kernels/axpy.cu"
)";

constexpr const char* missed =
    "kernel 'axpy', thread (4, 0, 0) of block (1, 0, 0), line 15 of the PTX (kernels/axpy.cu:18), "
    "st.global.u32: 4 bytes at ADDRESS, 4 bytes past the end of 48 bytes of device memory at "
    "ADDRESS, device 0";

/// Replaces each hexadecimal number by ADDRESS. <regex> does not compile without warnings under
/// AddressSanitizer.
std::string without_addresses(std::string text) {
  for (std::size_t at = 0; (at = text.find("0x", at)) != std::string::npos;) {
    const std::size_t end =
        std::min(text.find_first_not_of("0123456789abcdef", at + 2), text.size());
    text.replace(at, end - at, "ADDRESS");
  }
  return text;
}

/// Returns what cuGetErrorString says, without addresses.
std::string text_of(CUresult error) {
  const char* text = nullptr;
  OK(cuGetErrorString(error, &text));
  return without_addresses(text);
}

}  // namespace

PROGRAM("stores past the end") {
  use_device();
  std::uint64_t pointer = device_memory(48);
  void* parameters[] = {&pointer};
  OK(cuLaunchKernel(kernel_of(load_ptx(store_past_the_end), "axpy"), 2, 1, 1, 8, 1, 1, 0, nullptr,
                    parameters, nullptr));
  FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  EQUAL(text_of(CUDA_ERROR_ILLEGAL_ADDRESS),
        std::string("an illegal memory access was encountered: ") + missed);
  FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);  // told once
}

CASE("faults: say the kernel, the thread, the line and by how much memory was missed") {
  const Ending ending = run_program("stores past the end");
  EQUAL(ending.status, 0);
  EQUAL(without_addresses(ending.error_text),
        std::string("cuda-simulator: CUDA_ERROR_ILLEGAL_ADDRESS: ") + missed + "\n");
}

CASE("faults: a copy between contexts is told those of both, whichever is current") {
  for (const int failing : {0, 1}) {
    const CUcontext contexts[] = {use_device(0), use_device(1)};
    CUdeviceptr memory[2];
    for (const int device : {0, 1}) {
      use_device(device);
      memory[device] = device_memory(48);
    }
    use_device(failing);
    void* parameters[] = {&memory[failing]};
    OK(cuLaunchKernel(kernel_of(load_ptx(store_past_the_end), "axpy"), 2, 1, 1, 8, 1, 1, 0, nullptr,
                      parameters, nullptr));
    use_device(0);
    FAILS(cuMemcpyPeer(memory[0], contexts[0], memory[1], contexts[1], 8),
          CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(text_of(CUDA_ERROR_ILLEGAL_ADDRESS).find("kernel 'axpy'") != std::string::npos);
    for (const int device : {0, 1}) OK(cuDevicePrimaryCtxReset_v2(device));
  }
}

CASE("faults: an error that did not happen has its plain text") {
  use_device();
  const char* text = nullptr;
  OK(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  CHECK(std::string(text).find(':') == std::string::npos);
}

CASE("faults: say what became of memory, and in which other space it was") {
  const auto text_after = [](const std::string& body, const Words& inputs, CUresult error) {
    use_device();
    FAILS(failure_of(body, inputs), error);
    const char* text = nullptr;
    OK(cuGetErrorString(error, &text));
    OK(cuDevicePrimaryCtxReset_v2(0));
    return std::string(text);
  };
  const auto has = [](const std::string& text, const std::string& part) {
    if (text.find(part) == std::string::npos) throw CheckFailed(part + " is not in: " + text);
  };
  use_device();
  const CUdeviceptr freed = device_memory(100);
  OK(cuMemFree_v2(freed));
  has(text_after("ld.global.u64 %o0, [%in0+8];", {freed}, CUDA_ERROR_ILLEGAL_ADDRESS),
      "8 bytes at ");
  has(text_after("ld.global.u64 %o0, [%in0+8];", {freed}, CUDA_ERROR_ILLEGAL_ADDRESS),
      "in memory of 100 bytes that was freed");
  has(text_after("ld.global.u64 %o0, [%in0];", {0}, CUDA_ERROR_ILLEGAL_ADDRESS), "a null pointer");
  has(text_after(".shared .b8 few[16]; st.shared.u64 [few+16], 1;", {}, CUDA_ERROR_ILLEGAL_ADDRESS),
      "accesses 8 bytes at 16 of shared memory, which has 16 bytes here");
  has(text_after("ld.global.u64 %o0, [%in0];", {freed + 4}, CUDA_ERROR_MISALIGNED_ADDRESS),
      "which is no multiple of that size");
  has(text_after("trap;", {}, CUDA_ERROR_LAUNCH_FAILED), "executes trap");
  has(text_after("bar.sync 1, 64;", {}, CUDA_ERROR_LAUNCH_TIMEOUT),
      "bar.sync: waits for threads that never come");
}

CASE("faults: memory that is used again is not called freed") {
  use_device();
  Bytes bytes(128);
  const auto pointer = reinterpret_cast<CUdeviceptr>(bytes.data()) / 16 * 16 + 16;
  void* const start = reinterpret_cast<void*>(pointer);
  const auto text_at = [&](unsigned offset) {
    FAILS(failure_of("ld.global.u64 %o0, [%in0];", {pointer + offset}), CUDA_ERROR_ILLEGAL_ADDRESS);
    const std::string text = text_of(CUDA_ERROR_ILLEGAL_ADDRESS);
    OK(cuDevicePrimaryCtxReset_v2(0));  // the registration ends with it
    use_device();
    const std::string before = "8 bytes at ADDRESS, ";
    return text.substr(text.find(before) + before.size());
  };
  OK(cuMemHostRegister_v2(start, 32, 0));
  OK(cuMemHostUnregister(start));
  OK(cuMemHostRegister_v2(start, 20, 0));
  EQUAL(text_at(16), "4 bytes past the end of 20 bytes of registered memory at ADDRESS, device 0");
  OK(cuMemHostRegister_v2(start, 64, 0));
  OK(cuMemHostUnregister(start));
  EQUAL(text_at(40), "in memory of 64 bytes that was freed");
}

CASE_WITH("faults: a text is told only with the error of its own fault",
          {"CUDA_SIMULATOR_FAIL", "cuMemGetInfo:1:ILLEGAL_ADDRESS"}) {
  constexpr CUresult error = CUDA_ERROR_ILLEGAL_ADDRESS;
  const std::string plain = "an illegal memory access was encountered";
  CUcontext contexts[2] = {use_device(0), nullptr};
  FAILS(failure_of("ld.global.u64 %o0, [%in0];", {0}), error);
  const std::string first = text_of(error);
  CHECK(first.find("a null pointer") != std::string::npos);
  // one that another device's call was told, and no work
  contexts[1] = use_device(1);
  std::size_t free_bytes = 0;
  std::size_t all_bytes = 0;
  FAILS(cuMemGetInfo_v2(&free_bytes, &all_bytes), error);
  EQUAL(text_of(error), plain);
  FAILS(cuCtxSynchronize(), error);  // planned, it breaks its context as well
  EQUAL(text_of(error), plain);
  OK(cuDevicePrimaryCtxReset_v2(1));
  contexts[1] = use_device(1);
  FAILS(failure_of(".shared .b8 few[16]; st.shared.u64 [few+16], 1;"), error);
  const std::string second = text_of(error);
  CHECK(second.find("shared memory") != std::string::npos);
  for (const int device : {0, 1, 0}) {
    OK(cuCtxSetCurrent(contexts[device]));
    FAILS(cuCtxSynchronize(), error);
    EQUAL(text_of(error), device == 0 ? first : second);
  }
  // a thread that no call told the error, and then one has
  std::string texts[2];
  std::thread([&] {
    texts[0] = text_of(error);
    OK(cuCtxSetCurrent(contexts[1]));
    FAILS(cuCtxSynchronize(), error);
    texts[1] = text_of(error);
  }).join();
  EQUAL(texts[0], plain);
  EQUAL(texts[1], second);
  EQUAL(text_of(error), first);
}

CASE("faults: when there were more than are kept, an error has its plain text") {
  const auto text_after_trap = [](int number) {
    use_device();
    const std::string name = "bad" + std::to_string(number);
    const CUmodule module = load_ptx(ptx_text(".visible .entry " + name + "() { trap; }"));
    FAILS(launch_and_wait(kernel_of(module, name.c_str()), {}), CUDA_ERROR_LAUNCH_FAILED);
    const std::string text = text_of(CUDA_ERROR_LAUNCH_FAILED);
    OK(cuDevicePrimaryCtxReset_v2(0));
    return text;
  };
  for (int number = 1; number <= 1000; ++number) {
    const std::string expected = "kernel 'bad" + std::to_string(number) + "'";
    CHECK(text_after_trap(number).find(expected) != std::string::npos);
  }
  EQUAL(text_after_trap(1001), "unspecified launch failure");
}

CASE("faults: copies and fills say it too") {
  use_device();
  const CUstream queue = stream();
  CUdeviceptr pooled = 0;
  OK(cuMemAllocAsync(&pooled, 64, queue));
  const CUstream other = stream();
  OK(cuMemsetD8Async(pooled, 1, 64, other));  // does not wait for the allocation
  FAILS(cuStreamSynchronize(other), CUDA_ERROR_ILLEGAL_ADDRESS);
  EQUAL(text_of(CUDA_ERROR_ILLEGAL_ADDRESS),
        "an illegal memory access was encountered: a fill writes 64 bytes at ADDRESS, in 64 bytes "
        "of device memory at ADDRESS, device 0, which this work may not use at this point of the "
        "stream");
}

CASE("faults: the driver's log has the lines, for a buffer, a file and a listener") {
  use_device();
  unsigned next = 0;
  OK(cuLogsCurrent(&next, 0));
  std::string heard;
  CUlogsCallbackHandle listener = nullptr;
  OK(cuLogsRegisterCallback(
      [](void* data, int, char* message, std::size_t length) {
        static_cast<std::string*>(data)->append(message, length);
      },
      &heard, &listener));
  FAILS(failure_of("trap;"), CUDA_ERROR_LAUNCH_FAILED);
  OK(cuLogsUnregisterCallback(listener));
  FAILS(cuLogsUnregisterCallback(listener), CUDA_ERROR_INVALID_VALUE);
  char buffer[400];
  std::size_t size = sizeof buffer;
  unsigned from = next;
  OK(cuLogsDumpToMemory(&from, buffer, &size, 0));
  EQUAL(std::string(buffer), heard + "\n");
  EQUAL(size, heard.size() + 2);
  CHECK(heard.find("CUDA_ERROR_LAUNCH_FAILED: kernel 'test', thread (0, 0, 0)") == 0);
  EQUAL(from, next + 1);
  char few[6];
  size = sizeof few;
  OK(cuLogsDumpToMemory(&next, few, &size, 0));
  EQUAL(std::string(few), "trap\n");
}
