#include <functional>
#include <string>
#include <utility>

#include "kernels/embedded.hpp"
#include "kernels/launch/kernel_arguments.hpp"
#include "test/harness/gpu.hpp"

// What the driver's documentation specifies as too much, too little, or not allowed: one step
// beyond each limit is refused, and the limit itself is accepted.

using array_interface::KernelArguments;
using array_interface::strided_copy_ptx;
using namespace test;

namespace {

using Call = std::function<CUresult()>;

void check(const std::string& what, const Call& call, CUresult expected) {
  const std::string got = what + ": " + std::to_string(static_cast<int>(call()));
  EQUAL(got, what + ": " + std::to_string(static_cast<int>(expected)));
}

int device_attribute(int number) {
  int value = 0;
  OK(cuDeviceGetAttribute(&value, number, 0));
  return value;
}

CUmemoryPool pool_of(std::size_t most) {
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  properties.maxSize = most;
  CUmemoryPool pool = nullptr;
  OK(cuMemPoolCreate(&pool, &properties));
  return pool;
}

}  // namespace

CASE("limits: each axis of a block and of a grid, as the device says and the guide does") {
  use_device();
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  OK(cuModuleLoadData(&module, strided_copy_ptx));
  OK(cuModuleGetFunction(&function, module, "strided_copy_1"));
  KernelArguments arguments;
  auto parameters = arguments.cuda_arguments();
  struct Axis {
    const char* name;
    int attribute;
    unsigned most;
    int place;  ///< index among the six numbers of a launch
  };
  constexpr Axis axes[] = {{"block x", 2, 1024, 3}, {"block y", 3, 1024, 4},
                           {"block z", 4, 64, 5},   {"grid x", 5, 2147483647, 0},
                           {"grid y", 6, 65535, 1}, {"grid z", 7, 65535, 2}};
  EQUAL(device_attribute(1), 1024);  // threads per block
  for (const Axis& axis : axes) {
    EQUAL(static_cast<unsigned>(device_attribute(axis.attribute)), axis.most);
    const auto with = [&](unsigned length) {
      unsigned size[] = {1, 1, 1, 1, 1, 1};
      size[axis.place] = length;
      return cuLaunchKernel(function, size[0], size[1], size[2], size[3], size[4], size[5], 0,
                            nullptr, parameters.data(), nullptr);
    };
    const std::string name = axis.name;
    check(
        name + " 0", [&] { return with(0); }, CUDA_ERROR_INVALID_VALUE);
    check(
        name + " beyond", [&] { return with(axis.most + 1); }, CUDA_ERROR_INVALID_VALUE);
    if (axis.place >= 3)
      check(
          name, [&] { return with(axis.most); }, CUDA_SUCCESS);
  }
}

CASE("limits: an attribute of a pointer that does not exist, wherever it stands in a list") {
  use_device();
  const CUdeviceptr pointer = device_memory(8);
  for (const int unknown : {0, -1, 5000}) {
    for (const int place : {0, 1, 2}) {
      int attributes[] = {2, 9, 8};
      attributes[place] = unknown;
      unsigned values[] = {77, 77, 77};
      void* data[] = {&values[0], &values[1], &values[2]};
      FAILS(cuPointerGetAttributes(3, attributes, data, pointer), CUDA_ERROR_INVALID_VALUE);
      for (const unsigned value : values) EQUAL(value, 77u);
    }
  }
}

CASE("limits: calls that may not be made while a stream of the thread is captured") {
  use_device();
  static Bytes bytes(64);
  static Bytes fresh(64);
  static CUdeviceptr pointer = 0;
  static CUdeviceptr made = 0;
  static void* host = nullptr;
  OK(cuMemHostRegister_v2(bytes.data(), 64, 0));
  pointer = device_memory(64);
  static CUcontext context = nullptr;
  OK(cuCtxGetCurrent(&context));
  static const CUevent mark = event();
  static const CUdeviceptr gone = device_memory(64);
  static unsigned char* const pinned = pinned_memory(64);
  static std::size_t pitch = 0;
  const std::pair<const char*, Call> calls[] = {
      {"cuMemAlloc", [] { return cuMemAlloc_v2(&made, 8); }},
      {"cuMemAllocPitch", [] { return cuMemAllocPitch_v2(&made, &pitch, 8, 8, 4); }},
      {"cuMemAllocManaged", [] { return cuMemAllocManaged(&made, 8, CU_MEM_ATTACH_GLOBAL); }},
      {"cuMemAllocHost", [] { return cuMemAllocHost_v2(&host, 8); }},
      {"cuMemHostAlloc", [] { return cuMemHostAlloc(&host, 8, 0); }},
      {"cuMemHostRegister", [] { return cuMemHostRegister_v2(fresh.data(), 64, 0); }},
      {"cuMemHostUnregister", [] { return cuMemHostUnregister(bytes.data()); }},
      {"cuMemFree", [] { return cuMemFree_v2(gone); }},
      {"cuMemFreeHost", [] { return cuMemFreeHost(pinned); }},
      {"cuEventQuery", [] { return cuEventQuery(mark); }},
      {"cuMemcpy", [] { return cuMemcpy(pointer, pointer + 8, 8); }},
      {"cuMemcpyHtoD", [] { return cuMemcpyHtoD_v2(pointer, bytes.data(), 8); }},
      {"cuMemcpyDtoH", [] { return cuMemcpyDtoH_v2(bytes.data(), pointer, 8); }},
      {"cuMemcpyDtoD", [] { return cuMemcpyDtoD_v2(pointer, pointer + 8, 8); }},
      {"cuMemcpyPeer", [] { return cuMemcpyPeer(pointer, context, pointer + 8, context, 8); }},
      {"cuMemsetD8", [] { return cuMemsetD8_v2(pointer, 1, 8); }},
      {"cuMemsetD16", [] { return cuMemsetD16_v2(pointer, 1, 4); }},
      {"cuMemsetD32", [] { return cuMemsetD32_v2(pointer, 1, 2); }},
      {"cuCtxSynchronize", [] { return cuCtxSynchronize(); }},
  };
  for (const auto& [name, call] : calls) {
    const CUstream queue = stream();
    OK(cuStreamBeginCapture_v2(queue, 0));
    check(name, call, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    CUgraph graph = nullptr;
    check(
        std::string("the capture after ") + name, [&] { return cuStreamEndCapture(queue, &graph); },
        CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    check(std::string(name) + " afterwards", call, CUDA_SUCCESS);
  }
}

CASE("limits: attributes of a pool that are set only to 0, or not at all") {
  use_device();
  const CUmemoryPool pool = pool_of(0);
  for (const int high_mark : {6, 8}) {
    std::uint64_t value = 0;
    OK(cuMemPoolSetAttribute(pool, high_mark, &value));
    for (const std::uint64_t wrong : {std::uint64_t{1}, UINT64_MAX}) {
      value = wrong;
      FAILS(cuMemPoolSetAttribute(pool, high_mark, &value), CUDA_ERROR_INVALID_VALUE);
    }
  }
  for (const int current : {5, 7}) {
    std::uint64_t value = 0;
    FAILS(cuMemPoolSetAttribute(pool, current, &value), CUDA_ERROR_INVALID_VALUE);
  }
  for (const int unknown : {0, 99}) {
    std::uint64_t value = 0;
    FAILS(cuMemPoolSetAttribute(pool, unknown, &value), CUDA_ERROR_INVALID_VALUE);
    FAILS(cuMemPoolGetAttribute(pool, unknown, &value), CUDA_ERROR_INVALID_VALUE);
  }
}

CASE("limits: the most memory of a pool") {
  use_device();
  const CUstream queue = stream();
  CUdeviceptr pointer = 0;
  for (const std::size_t most : {std::size_t{1} << 21, std::size_t{1} << 22}) {
    const CUmemoryPool pool = pool_of(most);
    FAILS(cuMemAllocFromPoolAsync(&pointer, most + 1, pool, queue), CUDA_ERROR_OUT_OF_MEMORY);
    OK(cuMemAllocFromPoolAsync(&pointer, most, pool, queue));
    OK(cuMemFreeAsync(pointer, queue));
  }
  OK(cuMemAllocFromPoolAsync(&pointer, std::size_t{1} << 23, pool_of(0), queue));
}

CASE("limits: the pitch of either side of a copy holds a row, where there are several") {
  use_device();
  const CUdeviceptr from = device_memory(4096);
  const CUdeviceptr to = device_memory(4096);
  for (const bool is_source : {true, false}) {
    CUDA_MEMCPY2D plan{};
    plan.srcMemoryType = plan.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    plan.srcDevice = from;
    plan.dstDevice = to;
    plan.srcPitch = plan.dstPitch = 64;
    plan.WidthInBytes = 8;
    plan.Height = 4;
    auto& pitch = is_source ? plan.srcPitch : plan.dstPitch;
    auto& left = is_source ? plan.srcXInBytes : plan.dstXInBytes;
    for (const std::size_t x : {0, 3}) {
      left = x;
      pitch = x + 8;
      OK(cuMemcpy2D_v2(&plan));
      pitch = x + 7;
      FAILS(cuMemcpy2D_v2(&plan), CUDA_ERROR_INVALID_VALUE);
      FAILS(cuMemcpy2DUnaligned_v2(&plan), CUDA_ERROR_INVALID_VALUE);
      plan.Height = 1;
      OK(cuMemcpy2D_v2(&plan));
      plan.Height = 4;
    }
  }
}

CASE("limits: contexts that have ended, on either side of a copy between devices") {
  const CUcontext live = use_device();
  const CUdeviceptr pointer = device_memory(16);
  const CUstream queue = stream();
  CUcontext dead = nullptr;
  OK(cuCtxCreate_v2(&dead, 0, 0));
  OK(cuCtxDestroy_v2(dead));
  OK(cuCtxSetCurrent(live));
  OK(cuMemcpyPeer(pointer, live, pointer + 8, live, 8));
  const auto none = reinterpret_cast<CUcontext>(std::uintptr_t{0x1000});
  for (const auto& [to, from] : {std::pair{dead, live}, {live, dead}, {none, live}, {live, none}}) {
    FAILS(cuMemcpyPeer(pointer, to, pointer + 8, from, 8), CUDA_ERROR_INVALID_CONTEXT);
    FAILS(cuMemcpyPeerAsync(pointer, to, pointer + 8, from, 8, queue), CUDA_ERROR_INVALID_CONTEXT);
  }
}
