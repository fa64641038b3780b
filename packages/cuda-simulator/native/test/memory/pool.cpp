#include <unistd.h>

#include "test/harness/child.hpp"
#include "test/harness/gpu.hpp"

using namespace test;

namespace {

enum Attribute { threshold = 4, reserved = 5, used = 7, used_high = 8 };

CUdeviceptr pooled(std::size_t size, CUstream queue) {
  CUdeviceptr pointer = 0;
  OK(cuMemAllocAsync(&pointer, size, queue));
  return pointer;
}

constexpr int numa_node = 3;  // as a location: the host's memory near some processors

CUmemoryPool default_pool() {
  CUmemoryPool pool = nullptr;
  OK(cuDeviceGetDefaultMemPool(&pool, 0));
  return pool;
}

std::uint64_t attribute(CUmemoryPool pool, int number) {
  std::uint64_t value = 0;
  OK(cuMemPoolGetAttribute(pool, number, &value));
  return value;
}

CUmemoryPool made_pool(int handles = 0) {
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.handleTypes = handles;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemoryPool pool = nullptr;
  OK(cuMemPoolCreate(&pool, &properties));
  return pool;
}

template <class Value>
Value of_pointer(int number, CUdeviceptr pointer) {
  Value value{};
  OK(cuPointerGetAttribute(&value, number, pointer));
  return value;
}

}  // namespace

CASE_EVERY_SCHEDULE("pool: memory is there from its allocation to its release in stream order") {
  use_device();
  const CUstream queue = stream();
  const CUdeviceptr pointer = pooled(64, queue);
  OK(cuMemsetD8Async(pointer, 7, 64, queue));
  CHECK(read(pointer, 64, queue) == Bytes(64, 7));
  OK(cuMemFreeAsync(pointer, queue));
  FAILS(cuMemFreeAsync(pointer, queue), CUDA_ERROR_INVALID_VALUE);
  OK(cuStreamSynchronize(queue));
  FAILS(cuMemsetD8Async(pointer, 7, 64, queue), CUDA_ERROR_INVALID_VALUE);
  CHECK(pooled(64, queue) != pointer);
}

CASE("pool: use after release, in stream order, is a sticky fault") {
  use_device();
  const CUstream queue = stream();
  const CUdeviceptr pointer = pooled(64, queue);
  OK(cuMemFreeAsync(pointer, queue));
  OK(cuMemsetD8Async(pointer, 7, 64, queue));
  FAILS(cuStreamSynchronize(queue), CUDA_ERROR_ILLEGAL_ADDRESS);
  CUdeviceptr more = 0;
  FAILS(cuMemAlloc_v2(&more, 8), CUDA_ERROR_ILLEGAL_ADDRESS);
}

CASE("pool: captured memory is there between its allocation and its release, at each launch") {
  use_device();
  const CUstream queue = stream();
  const auto captured = [&](bool is_used_late) {
    OK(cuStreamBeginCapture_v2(queue, 0));
    const CUdeviceptr pointer = pooled(64, queue);
    OK(cuMemsetD8Async(pointer, 7, 64, queue));
    OK(cuMemFreeAsync(pointer, queue));
    if (is_used_late) OK(cuMemsetD8Async(pointer, 7, 64, queue));
    CUgraph graph = nullptr;
    CUgraphExec made = nullptr;
    OK(cuStreamEndCapture(queue, &graph));
    OK(cuGraphInstantiateWithFlags(&made, graph, 0));
    return made;
  };
  const CUgraphExec right = captured(false);
  for (int launch = 0; launch < 2; ++launch) OK(cuGraphLaunch(right, queue));
  OK(cuStreamSynchronize(queue));
  OK(cuGraphLaunch(captured(true), queue));
  FAILS(cuStreamSynchronize(queue), CUDA_ERROR_ILLEGAL_ADDRESS);
}

CASE("pool: use by a stream that did not wait for the allocation is a sticky fault") {
  use_device();
  const CUdeviceptr pointer = pooled(64, stream());
  const CUstream other = stream();
  OK(cuMemsetD8Async(pointer, 7, 64, other));
  FAILS(cuStreamSynchronize(other), CUDA_ERROR_ILLEGAL_ADDRESS);
}

CASE("pool: cuMemFree takes pool memory too") {
  use_device();
  const CUmemoryPool pool = default_pool();
  const CUstream queue = stream();
  const CUdeviceptr pointer = pooled(64, queue);
  OK(cuMemsetD8Async(pointer, 7, 64, queue));
  OK(cuStreamSynchronize(queue));
  OK(cuMemFree_v2(pointer));
  EQUAL(attribute(pool, used), 0u);
  FAILS(cuMemFreeAsync(pointer, queue), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemFreeAsync(device_memory(8), queue), CUDA_ERROR_INVALID_VALUE);
}

CASE("pool: cuMemFree does not wait for what still uses pool memory: a sticky fault") {
  use_device();
  const CUstream queue = stream();
  const CUdeviceptr pointer = pooled(64, queue);
  OK(cuMemsetD8Async(pointer, 7, 64, queue));
  OK(cuMemFree_v2(pointer));
  FAILS(cuStreamSynchronize(queue), CUDA_ERROR_ILLEGAL_ADDRESS);
}

CASE("pool: what a pointer into a pool says") {
  use_device();
  const CUdeviceptr pointer = pooled(64, stream());
  CHECK(of_pointer<CUcontext>(1, pointer) == nullptr);
  EQUAL(of_pointer<unsigned>(2, pointer), CU_MEMORYTYPE_DEVICE);
  EQUAL(of_pointer<int>(9, pointer), 0);
  EQUAL(of_pointer<int>(10, pointer), 0);  // no legacy IPC
  CHECK(of_pointer<CUmemoryPool>(17, pointer) == default_pool());
  CHECK(of_pointer<CUmemoryPool>(17, device_memory(8)) == nullptr);
  CUipcMemHandle handle{};
  FAILS(cuIpcGetMemHandle(&handle, pointer), CUDA_ERROR_INVALID_VALUE);
}

CASE("pool: counts what it holds, and keeps as much as its threshold says") {
  use_device();
  const CUmemoryPool pool = default_pool();
  const CUstream queue = stream();
  std::uint64_t kept = 100;
  OK(cuMemPoolSetAttribute(pool, threshold, &kept));
  EQUAL(attribute(pool, threshold), kept);
  const CUdeviceptr pointer = pooled(4096, queue);
  EQUAL(attribute(pool, used), 4096u);
  OK(cuMemFreeAsync(pointer, queue));
  EQUAL(attribute(pool, used), 4096u);  // not yet
  OK(cuStreamSynchronize(queue));
  EQUAL(attribute(pool, used), 0u);
  EQUAL(attribute(pool, used_high), 4096u);
  EQUAL(attribute(pool, reserved), 100u);
  OK(cuMemPoolTrimTo(pool, 0));
  EQUAL(attribute(pool, reserved), 0u);
  std::uint64_t zero = 0;
  OK(cuMemPoolSetAttribute(pool, used_high, &zero));
  EQUAL(attribute(pool, used_high), 0u);
  FAILS(cuMemPoolSetAttribute(pool, used, &zero), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemPoolGetAttribute(pool, 99, &zero), CUDA_ERROR_INVALID_VALUE);
}

CASE("pool: pools of one's own, and the one a device allocates from") {
  use_device();
  const CUmemoryPool pool = made_pool();
  const CUstream queue = stream();
  CUdeviceptr pointer = 0;
  OK(cuMemAllocFromPoolAsync(&pointer, 64, pool, queue));
  CHECK(of_pointer<CUmemoryPool>(17, pointer) == pool);
  OK(cuDeviceSetMemPool(0, pool));
  CHECK(of_pointer<CUmemoryPool>(17, pooled(8, queue)) == pool);
  FAILS(cuDeviceSetMemPool(1, pool), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemPoolDestroy(default_pool()), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemPoolDestroy(pool));
  FAILS(cuMemAllocFromPoolAsync(&pointer, 64, pool, queue), CUDA_ERROR_INVALID_VALUE);
  CUmemoryPool current = nullptr;
  OK(cuDeviceGetMemPool(&current, 0));
  CHECK(current == default_pool());
}

CASE("pool: other devices reach it where it says so") {
  use_device();
  const CUmemoryPool pool = made_pool();
  CUmemLocation second{CU_MEM_LOCATION_TYPE_DEVICE, 1};
  int flags = -1;
  OK(cuMemPoolGetAccess(&flags, pool, &second));
  EQUAL(flags, 0);
  const CUmemAccessDesc row{second, 3};
  OK(cuMemPoolSetAccess(pool, &row, 1));
  OK(cuMemPoolGetAccess(&flags, pool, &second));
  EQUAL(flags, 3);
}

PROGRAM("program: imports a pool") {
  use_device();
  CUmemoryPool pool = nullptr;
  OK(cuMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void*>(50), 1, 0));
  auto data = receive<CUmemPoolPtrExportData>(STDIN_FILENO);
  CUdeviceptr pointer = 0;
  OK(cuMemPoolImportPointer(&pointer, pool, &data));
  const CUstream queue = stream();
  CHECK(read(pointer, 64, queue) == Bytes(64, 5));
  OK(cuMemsetD8Async(pointer, 6, 64, queue));
  OK(cuMemFreeAsync(pointer, queue));
  OK(cuStreamSynchronize(queue));
  CUdeviceptr more = 0;
  FAILS(cuMemAllocFromPoolAsync(&more, 64, pool, queue), CUDA_ERROR_INVALID_VALUE);
  data.reserved[20] = static_cast<unsigned char>(data.reserved[20] ^ 1);
  FAILS(cuMemPoolImportPointer(&pointer, pool, &data), CUDA_ERROR_INVALID_VALUE);
  _exit(0);
}

CASE("pool: another process imports a pool and a pointer of it") {
  use_device();
  const CUmemoryPool pool = made_pool(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  int file = -1;
  OK(cuMemPoolExportToShareableHandle(&file, pool, 1, 0));
  CHECK(dup2(file, 50) == 50);  // the child gets it as 50
  Child child("program: imports a pool");
  const CUstream queue = stream();
  CUdeviceptr pointer = 0;
  OK(cuMemAllocFromPoolAsync(&pointer, 64, pool, queue));
  OK(cuMemsetD8Async(pointer, 5, 64, queue));
  OK(cuStreamSynchronize(queue));
  CUmemPoolPtrExportData data{};
  OK(cuMemPoolExportPointer(&data, pointer));
  send(child.to, data);
  EQUAL(child.end(), 0);
  CHECK(read(pointer, 64, queue) == Bytes(64, 6));
  FAILS(cuMemPoolExportToShareableHandle(&file, default_pool(), 1, 0), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemPoolExportPointer(&data, pooled(8, queue)), CUDA_ERROR_INVALID_VALUE);
}

CASE("pool: each place has its pools, whose memory says what it is and where") {
  use_device();
  const CUstream queue = stream();
  struct Place {
    CUmemLocation location;
    unsigned type;
    int device;
  };
  const Place places[] = {{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEMORYTYPE_DEVICE, 0},
                          {{CU_MEM_LOCATION_TYPE_DEVICE, 1}, CU_MEMORYTYPE_DEVICE, 1},
                          {{CU_MEM_LOCATION_TYPE_HOST, 0}, CU_MEMORYTYPE_HOST, 0},
                          {{numa_node, 0}, CU_MEMORYTYPE_HOST, 0},
                          {{CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 0}, CU_MEMORYTYPE_HOST, 0}};
  for (auto [location, type, device] : places) {
    CUmemoryPool first = nullptr;
    CUmemoryPool current = nullptr;
    OK(cuMemGetDefaultMemPool(&first, &location, CU_MEM_ALLOCATION_TYPE_PINNED));
    OK(cuMemGetMemPool(&current, &location, CU_MEM_ALLOCATION_TYPE_PINNED));
    CHECK(current == first);
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = location;
    CUmemoryPool made = nullptr;
    OK(cuMemPoolCreate(&made, &properties));
    OK(cuMemSetMemPool(&location, CU_MEM_ALLOCATION_TYPE_PINNED, made));
    OK(cuMemGetMemPool(&current, &location, CU_MEM_ALLOCATION_TYPE_PINNED));
    CHECK(current == made);
    OK(cuMemSetMemPool(&location, CU_MEM_ALLOCATION_TYPE_PINNED, first));
    for (const CUmemoryPool pool : {first, made}) {
      CUdeviceptr pointer = 0;
      OK(cuMemAllocFromPoolAsync(&pointer, 8, pool, queue));
      EQUAL(of_pointer<unsigned>(2, pointer), type);
      EQUAL(of_pointer<int>(9, pointer), device);
    }
  }
}

CASE("pool: before there is no memory, earlier work of the stream gives some back") {
  use_device();
  const CUstream queue = stream();
  for (int round = 0; round < 30'000; ++round) OK(cuMemFreeAsync(pooled(64, queue), queue));
}
