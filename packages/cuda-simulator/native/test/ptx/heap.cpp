#include "program.hpp"

// malloc and free of kernels.

using namespace test;

namespace {

const std::string declarations = R"(
.extern .func (.param .b64 result) malloc (.param .b64 size);
.extern .func free (.param .b64 pointer);
)";

/// Allocates as many bytes as `size` says, into the register `to`.
std::string take(const std::string& to, const std::string& size) {
  return "{ .param .b64 p; .param .b64 r; st.param.b64 [p], " + size +
         "; call.uni (r), malloc, (p); ld.param.b64 " + to + ", [r]; }\n";
}

std::string give(const std::string& from) {
  return "{ .param .b64 p; st.param.b64 [p], " + from + "; call.uni free, (p); }\n";
}

/// Returns what is told about where the illegal access of a kernel was.
std::string place_of_fault(const std::string& body) {
  use_device();
  FAILS(failure_of(body, {}, declarations), CUDA_ERROR_ILLEGAL_ADDRESS);
  const char* text = nullptr;
  OK(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  const std::string all = text;
  OK(cuDevicePrimaryCtxReset_v2(0));
  return all.substr(all.rfind("in the heap"));
}

}  // namespace

CASE("ptx heap: blocks are apart, fresh, aligned, and keep their content between launches") {
  use_device();
  const Words first = evaluate(take("%o0", "24") + take("%o1", "1") + R"(
  ld.u64 %o2, [%o0];
  st.u64 [%o0+16], 77;
)",
                               {}, declarations);
  EQUAL(first[0] % 16, 0u);
  EQUAL(first[1] % 16, 0u);
  CHECK(first[1] >= first[0] + 24 + 16);
  EQUAL(first[2], 0xCBCBCBCBCBCBCBCBu);
  EQUAL(evaluate("ld.u64 %o0, [%in0+16];", {first[0]})[0], 77u);
}

CASE("ptx heap: null for more than there is, or nothing; free takes null") {
  use_device();
  OK(cuCtxSetLimit(2, 4096));
  const Words got = evaluate(take("%o0", "5000") + take("%o1", "0") + take("%o2", "4000") +
                                 take("%o3", "200") + give("%o0"),
                             {}, declarations);
  EQUAL(got[0], 0u);
  EQUAL(got[1], 0u);
  CHECK(got[2] != 0);
  EQUAL(got[3], 0u);
  FAILS(cuCtxSetLimit(2, 8192), CUDA_ERROR_INVALID_VALUE);  // a kernel has used it
  EQUAL(evaluate(give("%in0") + take("%o0", "4000"), {got[2]}, declarations)[0], got[2]);
}

CASE("ptx heap: a block where a freed one was, and longer, is not given out again") {
  use_device();
  OK(cuCtxSetLimit(2, 8192));
  const Words got = evaluate(take("%o0", "3000") + take("%o1", "3000") + give("%o1") +
                                 take("%o2", "4000") + take("%o3", "64"),
                             {}, declarations);
  EQUAL(got[2], got[1]);
  EQUAL(got[3], got[2] + 4000 + 16);
}

CASE("ptx heap: touching a block after free, or beyond its end, is an error") {
  const std::string touch[] = {
      take("%d0", "16") + give("%d0") + "ld.u64 %o0, [%d0];",
      take("%d0", "16") + "st.u64 [%d0+16], 1;",
      take("%d0", "16") + give("%d0") + give("%d0"),
      take("%d0", "16") + "add.u64 %d0, %d0, 8;" + give("%d0"),
  };
  for (const std::string& body : touch) {
    use_device();
    FAILS(failure_of(body, {}, declarations), CUDA_ERROR_ILLEGAL_ADDRESS);
    OK(cuDevicePrimaryCtxReset_v2(0));
  }
}

CASE("ptx heap: a fault says which block was missed by how much, or that it was freed") {
  const std::string two = take("%d0", "16") + take("%d1", "30");  // at 0 and 32 of the heap
  const std::pair<std::string, std::string> faults[] = {
      {two + "st.u64 [%d0+16], 1;", "8 bytes past the end of a block of 16 bytes"},
      {two + "st.u64 [%d1+24], 1;", "2 bytes past the end of a block of 30 bytes"},
      {two + "st.u32 [%d1-4], 1;", "4 bytes before a block of 30 bytes"},
      {two + "add.u64 %d0, %d0, 8;" + give("%d0"), "8 bytes into a block of 16 bytes"},
      {two + give("%d0") + "st.u64 [%d0+8], 1;", "in a block of 16 bytes that was freed"},
      {two + give("%d1") + "st.u64 [%d1], 1;", "in a block of 30 bytes that was freed"},
      {two + give("%d1") + give("%d1"), "in a block of 30 bytes that was freed"},
      {take("%d0", "16") + give("%d0") + "st.u64 [%d0+64], 1;", "which has no block"},
      {take("%d0", "8388592") + give("%d0") + take("%d1", "104") + "st.u64 [%d1+104], 1;",
       "8 bytes past the end of a block of 104 bytes"},  // in the same place: all was used
  };
  for (const auto& [body, place] : faults) {
    EQUAL(place_of_fault(body), "in the heap of kernels, " + place);
  }
}

// The CUDA C++ Programming Guide says of malloc in kernels that its memory cannot be used in any
// call of the runtime or driver API, and names no error. INVALID_VALUE is what the calls document
// for an argument out of range, and what they are here for all memory that the driver did not give
// out.
CASE("ptx heap: no call takes its memory, and it is not counted as the program's") {
  use_device();
  const std::uint64_t pointer = evaluate(take("%o0", "64"), {}, declarations)[0];
  const CUdeviceptr own = device_memory(64);
  Bytes bytes(64);
  FAILS(cuMemcpyDtoH_v2(bytes.data(), pointer, 64), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemcpyDtoHAsync_v2(bytes.data(), pointer, 64, nullptr), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemcpyHtoD_v2(pointer, bytes.data(), 64), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemcpyDtoD_v2(own, pointer, 64), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemcpy(pointer, own, 64), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemsetD8_v2(pointer, 1, 64), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemsetD32Async(pointer, 1, 16, nullptr), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuStreamWriteValue32_v2(nullptr, pointer, 1, 0), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemFree_v2(pointer), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemFreeAsync(pointer, nullptr), CUDA_ERROR_INVALID_VALUE);
  CUipcMemHandle handle{};
  FAILS(cuIpcGetMemHandle(&handle, pointer), CUDA_ERROR_INVALID_VALUE);
  int kind = 0;
  FAILS(cuPointerGetAttribute(&kind, 2, pointer), CUDA_ERROR_INVALID_VALUE);
  std::size_t size = 0;
  FAILS(cuMemGetAddressRange_v2(nullptr, &size, pointer), CUDA_ERROR_NOT_FOUND);
  EQUAL(evaluate("ld.u64 %o0, [%in0];", {pointer})[0], 0xCBCBCBCBCBCBCBCBu);
  OK(cuMemFree_v2(own));
  EQUAL(simcuda_live("allocations"), 0u);
}

CASE_EVERY_SCHEDULE(
    "ptx heap: the end of a context waits for kernels that allocate and touch memory") {
  use_device();
  std::uint64_t arguments[5] = {device_memory(32)};
  void* parameters[] = {&arguments[0], &arguments[1], &arguments[2], &arguments[3], &arguments[4]};
  const std::string body = take("%d0", "24") + "st.u64 [%d0], 1;" + give("%d0");
  const CUfunction function = kernel_of(load_ptx(kernel_text(body, declarations)));
  for (int launches = 0; launches < 20; ++launches) {
    OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  }
  OK(cuDevicePrimaryCtxReset_v2(0));
}

CASE("ptx heap: a kernel of another device cannot use it, and is told so") {
  use_device();
  const std::uint64_t pointer = evaluate(take("%o0", "64"), {}, declarations)[0];
  CUcontext first = nullptr;
  OK(cuCtxGetCurrent(&first));
  use_device(1);
  OK(cuCtxEnablePeerAccess(first, 0));
  FAILS(failure_of("ld.u64 %o0, [%in0];", {pointer}), CUDA_ERROR_ILLEGAL_ADDRESS);
  const char* text = nullptr;
  OK(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  CHECK(std::string(text).find("8388608 bytes of the heap of kernels at 0x") != std::string::npos);
}
