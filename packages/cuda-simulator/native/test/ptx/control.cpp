#include "program.hpp"

using namespace test;

namespace {

const char* const factorial = R"(
.func (.param .b64 result) factorial(.param .b64 n)
{
  .reg .pred %p;
  .reg .b64 %n, %rest;
  ld.param.u64 %n, [n];
  setp.lt.u64 %p, %n, 2;
  @%p bra $one;
  add.u64 %rest, %n, -1;
  {
    .param .b64 argument;
    .param .b64 value;
    st.param.b64 [argument], %rest;
    call.uni (value), factorial, (argument);
    ld.param.b64 %rest, [value];
  }
  mul.lo.u64 %n, %n, %rest;
  st.param.b64 [result], %n;
  ret;
$one:
  st.param.b64 [result], 1;
  ret;
}
)";

const char* const call_factorial = R"(
  {
    .param .b64 argument;
    .param .b64 value;
    st.param.b64 [argument], %in0;
    call.uni (value), factorial, (argument);
    ld.param.b64 %o0, [value];
  }
)";

}  // namespace

CASE("ptx control: loops, guards and branches by index") {
  use_device();
  const Words got = evaluate(R"(
  mov.u64 %d0, 0;
again:
  add.u64 %o0, %o0, %d0;
  add.u64 %d0, %d0, 1;
  setp.le.u64 %p0, %d0, %in0;
  @%p0 bra again;
  @!%p0 mov.u64 %o1, 5;
  cvt.u32.u64 %r0, %in1;
targets: .branchtargets zero, one, two;
  brx.idx %r0, targets;
zero:
  mov.u64 %o2, 100;
  bra.uni done;
one:
  mov.u64 %o2, 101;
  bra.uni done;
two:
  mov.u64 %o2, 102;
done:
  ;
)",
                             {10, 1});
  EQUAL(got[0], 55u);
  EQUAL(got[1], 5u);
  EQUAL(got[2], 101u);
}

CASE("ptx control: functions call themselves, and are called by address") {
  use_device();
  EQUAL(evaluate(call_factorial, {10}, factorial)[0], 3628800u);
  const std::string indirect = R"(
  mov.u64 %d0, factorial;
  {
    .param .b64 argument;
    .param .b64 value;
    st.param.b64 [argument], %in0;
prototype: .callprototype (.param .b64 _) _ (.param .b64 _);
    call (value), %d0, (argument), prototype;
    ld.param.b64 %o0, [value];
  }
)";
  EQUAL(evaluate(indirect, {5}, factorial)[0], 120u);
}

CASE("ptx control: a call that does not fit, or goes nowhere, is an invalid program counter") {
  const char* calls[] = {"call (value), %in0, (argument), prototype;",
                         "mov.u64 %d0, factorial; call %d0, (argument), prototype;",
                         "mov.u64 %d0, test; call (value), %d0, (argument), prototype;",
                         "cvt.u32.u64 %r0, %in0; brx.idx %r0, targets;"};
  for (const char* call : calls) {
    use_device();
    const std::string body = std::string("{ .param .b64 argument; .param .b64 value;\n") +
                             "prototype: .callprototype (.param .b64 _) _ (.param .b64 _);\n" +
                             "targets: .branchtargets end;\n" + call + "\nend: ; }";
    FAILS(failure_of(body, {12345}, factorial), CUDA_ERROR_INVALID_PC);
    OK(cuDevicePrimaryCtxReset_v2(0));
  }
}

CASE("ptx control: calls without end break the stack, and loops without end the limit of time") {
  use_device();
  const std::string endless = R"(
.func endless() { .local .b8 big[4096]; call endless; ret; }
)";
  FAILS(failure_of("call endless;", {}, endless), CUDA_ERROR_HARDWARE_STACK_ERROR);
}

CASE_WITH("ptx control: a loop without end stops after as many steps as are allowed",
          {"CUDA_SIMULATOR_KERNEL_STEPS", "100000"}) {
  use_device();
  FAILS(failure_of("again: bra again;"), CUDA_ERROR_LAUNCH_TIMEOUT);
  FAILS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_TIMEOUT);
}

CASE("ptx control: exit ends a thread wherever it is, a trap the launch") {
  use_device();
  const std::string leaves = ".func leaves() { exit; }\n";
  EQUAL(evaluate("mov.u64 %o0, 7; setp.eq.u64 %p0, %in0, 1; @%p0 call leaves;", {0}, leaves)[0],
        7u);
  const CUdeviceptr out = device_words({1, 2, 3, 4});
  const CUmodule module = load_ptx(kernel_text("call leaves;", leaves));
  OK(launch_and_wait(kernel_of(module), {out, 0, 0, 0, 0}));
  EQUAL(read_words(out, 1)[0], 1u);
  FAILS(launch_and_wait(kernel_of(load_ptx(kernel_text("trap;"))), {out, 0, 0, 0, 0}),
        CUDA_ERROR_LAUNCH_FAILED);
}

CASE("ptx control: special registers tell a thread where it is") {
  use_device();
  const CUmodule module = load_ptx(ptx_text(R"(
.visible .entry test(.param .u64 out) {
  .reg .b32 %r<16>; .reg .b64 %d<8>; .reg .pred %p;
  ld.param.u64 %d0, [out];
  mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %ntid.x; mov.u32 %r3, %ntid.y;
  mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ctaid.y; mov.u32 %r6, %nctaid.x;
  mad.lo.u32 %r7, %r1, %r2, %r0;
  mul.lo.u32 %r8, %r2, %r3;
  mad.lo.u32 %r9, %r5, %r6, %r4;
  mad.lo.u32 %r10, %r9, %r8, %r7;
  mul.wide.u32 %d1, %r10, 8;
  add.u64 %d2, %d0, %d1;
  mov.u32 %r11, %laneid; mov.u32 %r12, %warpid;
  mad.lo.u32 %r13, %r12, WARP_SZ, %r11;
  setp.eq.u32 %p, %r13, %r7;
  selp.u32 %r14, %r10, 9999, %p;
  cvt.u64.u32 %d3, %r14;
  st.global.u64 [%d2], %d3;
  ret;
})"));
  const std::size_t threads = std::size_t{2} * 3 * 5 * 9;
  const CUdeviceptr out = device_memory(8 * threads);
  std::uint64_t argument = out;
  void* parameters[] = {&argument};
  OK(cuLaunchKernel(kernel_of(module), 2, 3, 1, 5, 9, 1, 0, nullptr, parameters, nullptr));
  const Words got = read_words(out, threads);
  for (std::size_t index = 0; index < got.size(); ++index) EQUAL(got[index], index);
}

CASE("ptx control: blocks are on as many multiprocessors as the device says it has") {
  use_device();
  const CUfunction function = kernel_of(load_ptx(ptx_text(R"(
.visible .entry test(.param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %d<4>;
  ld.param.u64 %d0, [out];
  mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ctaid.y; mad.lo.u32 %r0, %r1, 8, %r0;
  mul.wide.u32 %d1, %r0, 16; add.u64 %d2, %d0, %d1;
  mov.u32 %r0, %smid; mov.u32 %r1, %nsmid; mov.u32 %r2, %nwarpid; mov.u32 %r3, 0;
  st.global.v4.u32 [%d2], {%r0, %r1, %r2, %r3};
  ret;
})")));
  std::uint64_t out = device_memory(16 * 80);
  void* parameters[] = {&out};
  OK(cuLaunchKernel(function, 8, 10, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  const Words got = read_words(out, 2 * 80);
  int multiprocessors = 0;
  int threads = 0;
  OK(cuDeviceGetAttribute(&multiprocessors, 16, 0));
  OK(cuDeviceGetAttribute(&threads, 39, 0));
  const auto count = static_cast<std::uint64_t>(multiprocessors);
  for (std::size_t block = 0; block < 80; ++block) {
    EQUAL(got[2 * block], block % count | count << 32);
    EQUAL(got[2 * block + 1], static_cast<std::uint64_t>(threads) / 32);
  }
}
