#include "test/ptx/program.hpp"

// Calls for several copies, for ranges of managed memory, and of the first interface.

using namespace test;

CASE("batch: several copies in one call, up to the first that fails") {
  use_device();
  const CUstream queue = stream();
  const CUdeviceptr from = device_words({1, 2, 3, 4});
  const CUdeviceptr to = device_words({0, 0, 0, 0});
  CUdeviceptr targets[] = {to, to + 24};
  CUdeviceptr sources[] = {from + 8, from};
  std::size_t sizes[] = {8, 8};
  CUmemcpyAttributes attributes{1, {}, {}, 0};
  std::size_t first = 0;
  std::size_t failed = 7;
  OK(cuMemcpyBatchAsync(targets, sources, sizes, 2, &attributes, &first, 1, &failed, queue));
  EQUAL(failed, SIZE_MAX);
  OK(cuStreamSynchronize(queue));
  CHECK(read_words(to, 4) == (Words{2, 0, 0, 1}));
  sizes[1] = 16;  // past the end
  FAILS(cuMemcpyBatchAsync(targets, sources, sizes, 2, &attributes, &first, 1, &failed, queue),
        CUDA_ERROR_INVALID_VALUE);
  EQUAL(failed, std::size_t{1});
  attributes.srcAccessOrder = 0;
  FAILS(cuMemcpyWithAttributesAsync(to, from, 8, &attributes, queue), CUDA_ERROR_INVALID_VALUE);
}

CASE("batch: boxes, and boxes between contexts") {
  use_device();
  const CUdeviceptr from = device_words({1, 2, 3, 4});
  const CUdeviceptr to = device_words({0, 0, 0, 0});
  CUDA_MEMCPY3D_BATCH_OP box{};
  box.src.type = box.dst.type = 1;
  box.src.op.ptr = {from, 16, 2, {}};
  box.dst.op.ptr = {to, 8, 2, {}};
  box.extent = {8, 2, 1};
  OK(cuMemcpy3DBatchAsync_v2(1, &box, 0, nullptr));
  CHECK(read_words(to, 4) == (Words{1, 3, 0, 0}));
  CUDA_MEMCPY3D_PEER plan{};
  plan.copy.srcMemoryType = plan.copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  plan.copy.srcDevice = from + 8;
  plan.copy.dstDevice = to + 16;
  plan.copy.WidthInBytes = 16;
  plan.copy.Height = plan.copy.Depth = 1;
  OK(cuMemcpy3DPeer(&plan));
  CHECK(read_words(to, 4) == (Words{1, 3, 2, 3}));
}

CASE("batch: ranges of managed memory tell no advice, and lose what is discarded") {
  use_device();
  CUdeviceptr pointer = 0;
  OK(cuMemAllocManaged(&pointer, 16, CU_MEM_ATTACH_GLOBAL));
  int device = 5;
  OK(cuMemRangeGetAttribute(&device, sizeof device, 2, pointer, 16));
  EQUAL(device, -2);
  int accessors[2] = {5, 5};
  void* data[] = {&device, accessors};
  std::size_t sizes[] = {sizeof device, sizeof accessors};
  int attributes[] = {1, 3};
  OK(cuMemRangeGetAttributes(data, sizes, attributes, 2, pointer, 16));
  EQUAL(device, 0);
  EQUAL(accessors[1], -2);
  FAILS(cuMemRangeGetAttribute(&device, sizeof device, 2, device_memory(8), 8),
        CUDA_ERROR_INVALID_VALUE);
  OK(cuMemsetD8_v2(pointer, 1, 16));
  std::size_t size = 8;
  OK(cuMemDiscardBatchAsync(&pointer, &size, 1, 0, nullptr));
  OK(cuCtxSynchronize());
  CHECK(*reinterpret_cast<unsigned char*>(pointer) == poison);
  CHECK(*reinterpret_cast<unsigned char*>(pointer + 8) == 1);
}

CASE("first launch: a function keeps its block and arguments, set one by one") {
  use_device();
  const CUfunction function = kernel_of(load_ptx(ptx_text(R"(
.visible .entry test(.param .u64 out, .param .u32 a, .param .f32 b)
{
  .reg .b32 %r<8>; .reg .f32 %f<2>; .reg .b64 %d<4>;
  ld.param.u64 %d0, [out]; ld.param.u32 %r0, [a]; ld.param.f32 %f0, [b];
  cvt.rni.s32.f32 %r1, %f0; add.u32 %r2, %r0, %r1;
  mov.u32 %r3, %tid.x; mov.u32 %r4, %ctaid.y; mad.lo.u32 %r5, %r4, 2, %r3;
  mul.wide.u32 %d1, %r5, 4; add.u64 %d2, %d0, %d1; st.global.u32 [%d2], %r2;
  ret;
}
)")));
  CUdeviceptr out = device_words({0, 0, 0});
  FAILS(cuLaunchGrid(function, 1, 2), CUDA_ERROR_INVALID_VALUE);  // without arguments
  OK(cuFuncSetBlockShape(function, 2, 1, 1));
  OK(cuParamSetv(function, 0, &out, sizeof out));
  OK(cuParamSeti(function, 8, 40));
  OK(cuParamSetf(function, 12, 2.0F));
  OK(cuParamSetSize(function, 16));
  OK(cuLaunchGrid(function, 1, 2));
  const std::uint64_t both = (std::uint64_t{42} << 32) + 42;
  CHECK(read_words(out, 3) == (Words{both, both, 0}));
}

CASE("batch: an event behind all work of a context, and streams that wait for it") {
  use_device();
  const CUcontext context = [] {
    CUcontext current = nullptr;
    OK(cuCtxGetCurrent(&current));
    return current;
  }();
  const CUdeviceptr pointer = device_memory(8);
  const CUstream producer = stream();
  const CUstream consumer = stream();
  const CUevent mark = event();
  OK(cuMemsetD8Async(pointer, 3, 8, producer));
  OK(cuCtxRecordEvent(context, mark));
  OK(cuCtxWaitEvent(context, mark));
  CHECK(read(pointer, 8, consumer) == Bytes(8, 3));
}

CASE("batch: attributes of streams are kept, and copied") {
  use_device();
  const CUstream one = stream();
  const CUstream two = stream();
  char value[64] = {9};
  OK(cuStreamSetAttribute(one, 3, value));
  OK(cuStreamCopyAttributes(two, one));
  char got[64] = {};
  OK(cuStreamGetAttribute(two, 3, got));
  EQUAL(static_cast<int>(got[0]), 9);
  FAILS(cuStreamGetAttribute(two, 0, got), CUDA_ERROR_INVALID_VALUE);
}

CASE("device: properties of the first interface, affinity and atomics") {
  use_device();
  CUdevprop properties{};
  OK(cuDeviceGetProperties(&properties, 0));
  EQUAL(properties.maxThreadsPerBlock, 1024);
  EQUAL(properties.maxThreadsDim[2], 64);
  EQUAL(properties.SIMDWidth, 32);
  int supported = 1;
  OK(cuDeviceGetExecAffinitySupport(&supported, 0, 0));
  EQUAL(supported, 0);
  unsigned capability = 0;
  const int add = 0;
  OK(cuDeviceGetP2PAtomicCapabilities(&capability, &add, 1, 0, 1));
  CHECK(capability != 0);
  FAILS(cuDeviceGetP2PAtomicCapabilities(&capability, &add, 1, 0, 0), CUDA_ERROR_INVALID_DEVICE);
}
