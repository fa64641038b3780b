#include "program.hpp"

// Launches whose blocks wait for one another.

using namespace test;

namespace {

const std::string declarations = R"(
.extern .func (.param .b64 result) cudaCGGetIntrinsicHandle (.param .b32 scope);
.extern .func (.param .b32 result) cudaCGSynchronize (.param .b64 grid, .param .b32 flags);
.visible .entry rounds(.param .u64 data)
{
  .reg .pred %p;
  .reg .b32 %r<16>;
  .reg .b64 %d<16>;
  ld.param.u64 %d0, [data];
  mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x; mov.u32 %r3, %nctaid.x;
  mad.lo.u32 %r4, %r0, %r1, %r2;
  mul.lo.u32 %r5, %r3, %r1;
  { .param .b32 s; .param .b64 h; st.param.b32 [s], 1;
    call.uni (h), cudaCGGetIntrinsicHandle, (s); ld.param.b64 %d1, [h]; }
  mov.u32 %r6, 0;
again:
  // data[i] += data[(i + 1) % n], all at once: read, wait, write, wait
  add.u32 %r7, %r4, 1; rem.u32 %r8, %r7, %r5;
  mul.wide.u32 %d2, %r8, 8; add.u64 %d3, %d0, %d2; ld.global.u64 %d4, [%d3];
  { .param .b64 h; .param .b32 f; .param .b32 e; st.param.b64 [h], %d1; st.param.b32 [f], 0;
    call.uni (e), cudaCGSynchronize, (h, f); ld.param.b32 %r9, [e]; }
  mul.wide.u32 %d5, %r4, 8; add.u64 %d6, %d0, %d5; ld.global.u64 %d7, [%d6];
  add.u64 %d8, %d7, %d4; st.global.u64 [%d6], %d8;
  { .param .b64 h; .param .b32 f; .param .b32 e; st.param.b64 [h], %d1; st.param.b32 [f], 0;
    call.uni (e), cudaCGSynchronize, (h, f); ld.param.b32 %r10, [e]; }
  add.u32 %r6, %r6, 1; setp.lt.u32 %p, %r6, 3; @%p bra again;
  setp.ne.u32 %p, %r9, 0; @%p trap;
  ret;
}
)";

Words expected(Words data) {
  for (int round = 0; round < 3; ++round) {
    const Words before = data;
    for (std::size_t i = 0; i < data.size(); ++i) data[i] += before[(i + 1) % data.size()];
  }
  return data;
}

Words numbers(std::size_t count) {
  Words words(count);
  for (std::size_t i = 0; i < count; ++i) words[i] = i * i + 1;
  return words;
}

}  // namespace

CASE_EVERY_SCHEDULE("ptx cooperative: blocks wait for one another, several times") {
  use_device();
  const Words data = numbers(24);
  const CUfunction function = kernel_of(load_ptx(ptx_text(declarations)), "rounds");
  for (const bool by_attribute : {false, true}) {
    std::uint64_t pointer = device_words(data);
    void* parameters[] = {&pointer};
    CUlaunchAttribute attribute{};
    attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attribute.value.cooperative = 1;
    const CUlaunchConfig config{6, 1, 1, 4, 1, 1, 0, nullptr, &attribute, 1};
    if (by_attribute) {
      OK(cuLaunchKernelEx(&config, function, parameters, nullptr));
    } else {
      OK(cuLaunchCooperativeKernel(function, 6, 1, 1, 4, 1, 1, 0, nullptr, parameters));
    }
    CHECK(read_words(pointer, data.size()) == expected(data));
  }
}

CASE("ptx cooperative: a plain launch has no grid to wait for, and says so") {
  use_device();
  std::uint64_t pointer = device_words(numbers(24));
  void* parameters[] = {&pointer};
  const CUfunction function = kernel_of(load_ptx(ptx_text(declarations)), "rounds");
  OK(cuLaunchKernel(function, 6, 1, 1, 4, 1, 1, 0, nullptr, parameters, nullptr));
  FAILS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);  // its trap: cudaCGSynchronize failed
}

// What <cooperative_groups.h> makes of grid.sync(): the two registers have the address of a
// structure of the driver's, in which the header counts the blocks. The ISA says of them only that
// the driver defines them, and no document says what is in the structure.
CASE("ptx cooperative: the header's way to the driver's own memory is refused by name") {
  use_device();
  const std::string reason =
      refusal_of(kernel_text("mov.u32 %r0, %envreg2; mov.u32 %r1, %envreg1;"));
  CHECK(reason.find("got '%envreg2'") != std::string::npos);
}

CASE("ptx cooperative: more blocks than run at a time are refused") {
  use_device();
  std::uint64_t pointer = device_words(numbers(24));
  void* parameters[] = {&pointer};
  const CUfunction function = kernel_of(load_ptx(ptx_text(declarations)), "rounds");
  int per_multiprocessor = 0;
  OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, function, 1024, 0));
  const auto most = static_cast<unsigned>(per_multiprocessor) * 32;
  FAILS(cuLaunchCooperativeKernel(function, most + 1, 1, 1, 1024, 1, 1, 0, nullptr, parameters),
        CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
}

CASE("ptx cooperative: blocks of which one never comes are a deadlock") {
  use_device();
  const std::string body = R"(
  mov.u32 %r0, %ctaid.x; setp.eq.u32 %p0, %r0, 0; @%p0 bar.sync 1, 64;
)";
  std::uint64_t arguments[5] = {device_memory(32)};
  void* parameters[] = {&arguments[0], &arguments[1], &arguments[2], &arguments[3], &arguments[4]};
  OK(cuLaunchCooperativeKernel(kernel_of(load_ptx(kernel_text(body))), 2, 1, 1, 32, 1, 1, 0,
                               nullptr, parameters));
  FAILS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_TIMEOUT);
}
