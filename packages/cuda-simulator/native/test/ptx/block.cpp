#include <numeric>

#include "program.hpp"

using namespace test;

namespace {

/// Returns a kernel in which thread i of a block of any size finds i in %d0 and leaves a word in
/// %o0.
std::string threads_text(const std::string& body, const std::string& before = "") {
  return ptx_text(before + R"(
.visible .entry test(.param .u64 out) {
  .reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %d<16>; .reg .b64 %o0, %out;
  ld.param.u64 %out, [out];
  mov.u32 %r0, %tid.x;
  cvt.u64.u32 %d0, %r0;
  mad.lo.u64 %out, %d0, 8, %out;
  mov.u64 %o0, 0;
)" + body + R"(
  st.global.u64 [%out], %o0;
  ret;
}
)");
}

Words run_threads(const std::string& body, unsigned threads, const std::string& before = "",
                  unsigned shared = 0) {
  const CUdeviceptr out = device_words(Words(threads, 0));
  const CUmodule module = load_ptx(threads_text(body, before));
  OK(launch_and_wait(kernel_of(module), {out}, threads, 1, shared));
  return read_words(out, threads);
}

}  // namespace

CASE("ptx block: a barrier separates what threads write from what others read") {
  use_device();
  const Words got = run_threads(R"(
  .shared .align 8 .b64 words[100];
  mov.u64 %d1, words;
  mad.lo.u64 %d2, %d0, 8, %d1;
  st.shared.u64 [%d2], %d0;
  bar.sync 0;
  sub.u64 %d3, 99, %d0;
  mad.lo.u64 %d4, %d3, 8, %d1;
  ld.shared.u64 %o0, [%d4];
)",
                                100);
  for (std::size_t index = 0; index < 100; ++index) EQUAL(got[index], 99 - index);
}

CASE("ptx block: code that requires a block runs in no other") {
  use_device();
  const CUmodule module = load_ptx(ptx_text(R"(
.visible .entry plane() .reqntid 8, 4 { ret; }
.visible .entry at_most() .maxntid 8, 4 { ret; }
)"));
  const auto launch = [&](const char* name, unsigned x, unsigned y, unsigned z) {
    const CUresult result =
        cuLaunchKernel(kernel_of(module, name), 1, 1, 1, x, y, z, 0, nullptr, nullptr, nullptr);
    OK(cuCtxSynchronize());
    return result;
  };
  OK(launch("plane", 8, 4, 1));
  FAILS(launch("plane", 4, 8, 1), CUDA_ERROR_INVALID_VALUE);
  FAILS(launch("plane", 32, 1, 1), CUDA_ERROR_INVALID_VALUE);
  FAILS(launch("plane", 8, 2, 1), CUDA_ERROR_INVALID_VALUE);
  OK(launch("at_most", 4, 2, 1));
  OK(cuModuleUnload(module));
}

CASE("ptx block: threads that have ended are not waited for; shared memory is as large as asked") {
  use_device();
  const Words got = run_threads(R"(
  mov.u64 %d1, dynamic;
  mad.lo.u64 %d2, %d0, 8, %d1;
  st.shared.u64 [%d2], %d0;
  setp.gt.u64 %p0, %d0, 39;
  @%p0 ret;
  barrier.sync 3;
  ld.shared.u64 %o0, [%d2+320];
  mov.u32 %r1, %dynamic_smem_size;
  cvt.u64.u32 %d5, %r1;
  add.u64 %o0, %o0, %d5;
)",
                                80, ".extern .shared .align 8 .b8 dynamic[];\n", 640);
  for (std::size_t index = 0; index < 40; ++index) EQUAL(got[index], index + 40 + 640);
}

CASE("ptx block: named barriers wait for as many as they say") {
  use_device();
  const Words got = run_threads(R"(
  .shared .align 8 .b64 word;
  setp.lt.u64 %p0, %d0, 32;
  @%p0 bra producer;
  bar.sync 1, 64;
  ld.shared.u64 %o0, [word];
  bra done;
producer:
  st.shared.u64 [word], 77;
  bar.arrive 1, 64;
done:
)",
                                64);
  for (std::size_t index = 32; index < 64; ++index) EQUAL(got[index], 77u);
}

CASE("ptx block: barriers count and combine predicates") {
  use_device();
  const Words got = run_threads(R"(
  and.b64 %d1, %d0, 1;
  setp.ne.u64 %p0, %d1, 0;
  bar.red.popc.u32 %r1, 0, %p0;
  bar.red.and.pred %p1, 0, %p0;
  bar.red.or.pred %p2, 0, !%p0;
  selp.u32 %r2, 1000, 0, %p1;
  selp.u32 %r3, 2000, 0, %p2;
  add.u32 %r1, %r1, %r2;
  add.u32 %r1, %r1, %r3;
  cvt.u64.u32 %o0, %r1;
)",
                                33);
  EQUAL(got[32], 16u + 2000u);
}

CASE("ptx block: warps exchange, vote and match, also in parts") {
  use_device();
  const Words got = run_threads(R"(
  mul.lo.u32 %r1, %r0, 10;
  shfl.sync.up.b32 %r2|%p0, %r1, 1, 0, -1;
  shfl.sync.idx.b32 %r3, %r1, 3, 0x181f, -1;
  setp.lt.u32 %p1, %r0, 5;
  vote.sync.ballot.b32 %r4, %p1, -1;
  @%p1 bra few;
  mov.u32 %r5, 0;
  bra.uni joined;
few:
  shfl.sync.bfly.b32 %r5, %r1, 1, 31, 31;
joined:
  bar.warp.sync -1;
  redux.sync.add.u32 %r6, %r0, -1;
  and.b32 %r7, %r0, 7;
  match.any.sync.b32 %r8, %r7, -1;
  activemask.b32 %r9;
  xor.b32 %r10, %r2, %r3;
  xor.b32 %r10, %r10, %r4;
  xor.b32 %r10, %r10, %r5;
  xor.b32 %r10, %r10, %r6;
  xor.b32 %r10, %r10, %r8;
  xor.b32 %r10, %r10, %r9;
  cvt.u64.u32 %o0, %r10;
)",
                                32);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t up = lane == 0 ? 0 : (lane - 1) * 10;
    const std::uint32_t indexed = ((lane & 24) + 3) * 10;
    const std::uint32_t other = (lane ^ 1) < 5 ? (lane ^ 1) * 10 : lane * 10;
    const std::uint32_t few = lane < 5 ? other : 0;
    const std::uint32_t same = 0x01010101u << (lane & 7);
    const std::uint32_t wanted = up ^ indexed ^ 31 ^ few ^ 496 ^ same ^ ~0u;
    EQUAL(got[lane], wanted);
  }
}

CASE("ptx block: threads that wait for one another forever time out") {
  use_device();
  const CUdeviceptr out = device_memory(512);
  const std::string stuck = R"(
  setp.eq.u64 %p0, %d0, 0;
  @%p0 bra other;
  bar.sync 0;
  bra done;
other:
  bar.sync 1;
done:
)";
  FAILS(launch_and_wait(kernel_of(load_ptx(threads_text(stuck))), {out}, 64),
        CUDA_ERROR_LAUNCH_TIMEOUT);
}

CASE("ptx block: a thread may spin until another has written") {
  use_device();
  const Words got = run_threads(R"(
  .shared .align 8 .b64 flag;
  setp.eq.u64 %p0, %d0, 0;
  @!%p0 bra writer;
again:
  ld.volatile.shared.u64 %o0, [flag];
  setp.ne.u64 %p1, %o0, 5;
  @%p1 bra again;
  bra done;
writer:
  st.volatile.shared.u64 [flag], 5;
done:
)",
                                2);
  EQUAL(got[0], 5u);
}

CASE_EVERY_SCHEDULE("ptx block: atomics of all threads add up, in two streams at once") {
  use_device();
  const CUdeviceptr counters = device_words(Words(8, 0));
  const CUfunction function = kernel_of(load_ptx(ptx_text(R"(
.visible .entry test(.param .u64 out) {
  .reg .b64 %d<8>; .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .f64 %g<4>;
  ld.param.u64 %d0, [out];
  mov.u32 %r0, %tid.x;
  atom.global.add.u32 %r1, [%d0], 1;
  red.global.max.u32 [%d0+8], %r0;
  atom.global.inc.u32 %r2, [%d0+16], 6;
  red.global.add.f32 [%d0+24], 0f3F800000;
  atom.add.f64 %g0, [%d0+32], 0d3FE0000000000000;
  atom.or.b32 %r3, [%d0+40], %r0;
  cvt.u64.u32 %d1, %r0;
  add.u64 %d2, %d1, 1;
  atom.cas.b64 %d3, [%d0+48], %d1, %d2;
  ret;
})")));
  const CUstream streams[] = {stream(), stream()};
  std::uint64_t argument = counters;
  void* parameters[] = {&argument};
  for (const CUstream queue : streams) {
    OK(cuLaunchKernel(function, 5, 1, 1, 100, 1, 1, 0, queue, parameters, nullptr));
  }
  for (const CUstream queue : streams) OK(cuStreamSynchronize(queue));
  const Words got = read_words(counters, 7);
  EQUAL(got[0], 1000u);
  EQUAL(got[1], 99u);
  EQUAL(got[2], 1000u % 7);
  EQUAL(got[3], bits_of(1000.0f));
  EQUAL(got[4], bits_of(500.0));
  EQUAL(got[5], 127u);
  EQUAL(got[6], 100u);
}
