#include "program.hpp"

using namespace test;

CASE("ptx memory: loads extend, stores cut, vectors go together") {
  use_device();
  const CUdeviceptr data = device_words({0x8899aabbccddeeff, 0x1122334455667788});
  const Words got = evaluate(R"(
  ld.global.s8 %d0, [%in0];
  ld.global.u16 %d1, [%in0+2];
  ld.s32 %d2, [%in0+4];
  mov.b64 %o0, %d0;
  mov.b64 %o1, %d1;
  mov.b64 %o2, %d2;
  ld.global.nc.v4.u32 {%r0, %r1, %r2, %r3}, [%in0];
  st.global.v2.u16 [%in0+8], {%r0, %r3};
  st.global.u8 [%in0+-0], %r2;
  ld.volatile.global.u64 %o3, [%in0+8];
)",
                             {data});
  EQUAL(got[0], ~std::uint64_t{0});
  EQUAL(got[1], 0xccddu);
  EQUAL(got[2], 0xffffffff8899aabbu);
  EQUAL(got[3], 0x112233443344eeffu);
  EQUAL(read_words(data, 1)[0], 0x8899aabbccddee88u);
}

CASE("ptx memory: local and shared memory, by their own and by generic addresses") {
  use_device();
  const Words got = evaluate(R"(
  .local .align 8 .b8 depot[32];
  .shared .align 8 .b8 block[16];
  mov.u64 %d0, depot;
  cvta.local.u64 %d1, %d0;
  st.local.u64 [%d0+8], 11;
  ld.u64 %o0, [%d1+8];
  st.u32 [%d1], 7;
  ld.local.u32 %r0, [depot];
  cvt.u64.u32 %o1, %r0;
  mov.u64 %d2, block;
  cvta.shared.u64 %d3, %d2;
  st.shared.u64 [block+8], 5;
  ld.u64 %o2, [%d3+8];
  cvta.to.shared.u64 %d4, %d3;
  ld.shared.u64 %d5, [%d4+8];
  isspacep.shared %p0, %d3;
  isspacep.local %p1, %d3;
  isspacep.global %p2, %in0;
  selp.u64 %d6, 100, 0, %p0;
  selp.u64 %d7, 1000, 0, %p1;
  selp.u64 %d8, 10000, 0, %p2;
  add.u64 %o3, %d5, %d6;
  add.u64 %o3, %o3, %d7;
  add.u64 %o3, %o3, %d8;
)",
                             {device_memory(8)});
  EQUAL(got[0], 11u);
  EQUAL(got[1], 7u);
  EQUAL(got[2], 5u);
  EQUAL(got[3], 10105u);
}

CASE("ptx memory: fresh memory and registers are poisoned") {
  use_device();
  const Words got = evaluate(R"(
  .local .align 8 .b8 depot[8];
  .shared .align 8 .b8 block[8];
  ld.local.u64 %o0, [depot];
  ld.shared.u64 %o1, [block];
  mov.b64 %o2, %d9;
)");
  for (std::size_t place = 0; place < 3; ++place) EQUAL(got[place], 0xCBCBCBCBCBCBCBCBu);
}

CASE("ptx memory: what lies outside is an illegal address, in every space") {
  const std::string declared = R"(
  .local .align 8 .b8 depot[16];
  .shared .align 8 .b8 block[16];
  mov.u64 %d0, depot;
  mov.u64 %d1, block;
  cvta.local.u64 %d2, %d0;
  cvta.shared.u64 %d3, %d1;
)";
  const char* wild[] = {
      "ld.global.u64 %o0, [%in0+8];",
      "st.global.u8 [%in0+-1], 1;",
      "ld.u64 %o0, [0];",
      "ld.local.u64 %o0, [%d0+16];",
      "st.local.u64 [%d0+-8], 1;",
      "ld.shared.u64 %o0, [block+16];",
      "st.shared.u8 [%d1+-1], 1;",
      "ld.u64 %o0, [%d2+16];",
      "st.u64 [%d3+16], 1;",
      "ld.param.u64 %o0, [out+40];",
      "ld.u64 %o0, [%in1];",
      "atom.global.add.u64 %o0, [%in0+8], 1;",
      "ld.global.v2.u64 {%o0, %o1}, [%in0];",
  };
  for (const char* instruction : wild) {
    use_device();
    const CUdeviceptr data = device_memory(8);
    const std::string body = declared + instruction;
    const CUresult failure = failure_of(body, {data, 0xF234567890ABCDE0});
    test::check_equal(
        static_cast<int>(failure),
        static_cast<int>(std::string(instruction).find("v2") != std::string::npos && data % 16 != 0
                             ? CUDA_ERROR_MISALIGNED_ADDRESS
                             : CUDA_ERROR_ILLEGAL_ADDRESS),
        instruction, __FILE__, __LINE__);
    FAILS(cuCtxSynchronize(), failure);  // permanently
    OK(cuDevicePrimaryCtxReset_v2(0));
  }
}

CASE("ptx memory: an address that is no multiple of the size is misaligned") {
  for (const char* instruction :
       {"ld.global.u64 %o0, [%in0+4];", "st.global.u16 [%in0+1], %h0;",
        "ld.global.v2.u32 {%r0, %r1}, [%in0+4];", "atom.add.u32 %r0, [%in0+2], 1;"}) {
    use_device();
    FAILS(failure_of(instruction, {device_memory(16)}), CUDA_ERROR_MISALIGNED_ADDRESS);
    OK(cuDevicePrimaryCtxReset_v2(0));
  }
}

CASE("ptx memory: freed memory and memory of a device that is no peer are illegal") {
  use_device(1);
  const CUdeviceptr elsewhere = device_memory(8);
  use_device(0);
  FAILS(failure_of("ld.global.u64 %o0, [%in0];", {elsewhere}), CUDA_ERROR_ILLEGAL_ADDRESS);
  OK(cuDevicePrimaryCtxReset_v2(0));
  use_device(0);
  const CUdeviceptr freed = device_memory(8);
  OK(cuMemFree_v2(freed));
  FAILS(failure_of("st.global.u64 [%in0], 1;", {freed}), CUDA_ERROR_ILLEGAL_ADDRESS);
}

CASE("ptx memory: variables of a module hold their values, and addresses of one another") {
  use_device();
  const std::string variables = R"(
.visible .global .align 8 .u64 counter = 40;
.global .align 4 .b32 numbers[4] = {1, 2, -3};
.visible .const .align 8 .f64 real = 0d4000000000000000;
.global .align 8 .u64 pointers[2] = {numbers+8, generic(counter)};
)";
  const std::string body = R"(
  ld.global.u64 %d0, [pointers];
  ld.global.s32 %o0, [%d0];
  ld.global.u64 %d1, [pointers+8];
  ld.u64 %o1, [%d1];
  ld.const.u64 %o2, [real];
  atom.global.add.u64 %o3, [counter], 2;
)";
  const Words got = evaluate(body, {}, variables);
  EQUAL(got[0], static_cast<std::uint64_t>(-3));
  EQUAL(got[1], 40u);
  EQUAL(got[2], bits_of(2.0));
  EQUAL(got[3], 40u);
}
