#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "test/harness/child.hpp"
#include "test/harness/gpu.hpp"

using namespace test;

namespace {

constexpr std::size_t block = std::size_t{2} << 20;

CUmemGenericAllocationHandle made(int handles = 0) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = handles;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemGenericAllocationHandle handle = 0;
  OK(cuMemCreate(&handle, block, &properties, 0));
  return handle;
}

CUdeviceptr reserved(std::size_t size) {
  CUdeviceptr pointer = 0;
  OK(cuMemAddressReserve(&pointer, size, 0, 0, 0));
  EQUAL(pointer % block, CUdeviceptr{0});
  return pointer;
}

void open_up(CUdeviceptr pointer, std::size_t size) {
  const CUmemAccessDesc row{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, 3};
  OK(cuMemSetAccess(pointer, size, &row, 1));
}

/// Returns how many mappings the process has.
std::ptrdiff_t mappings() {
  std::ifstream maps("/proc/self/maps");
  return std::count(std::istreambuf_iterator<char>(maps), {}, '\n');
}

}  // namespace

CASE_EVERY_SCHEDULE("virtual memory: mapped side by side, used as one, unmapped and mapped again") {
  use_device();
  const CUstream queue = stream();
  const CUdeviceptr pointer = reserved(2 * block);
  const auto first = made();
  const auto second = made();
  OK(cuMemMap(pointer, block, 0, first, 0));
  OK(cuMemMap(pointer + block, block, 0, second, 0));
  FAILS(cuMemMap(pointer, block, 0, second, 0), CUDA_ERROR_INVALID_VALUE);
  open_up(pointer, 2 * block);
  OK(cuMemsetD8Async(pointer + block - 8, 3, 16, queue));  // across the boundary
  CHECK(read(pointer + block - 8, 16, queue) == Bytes(16, 3));
  CHECK(read(pointer + block + 8, 8, queue) == Bytes(8, poison));
  OK(cuMemUnmap(pointer, block));
  FAILS(cuMemsetD8Async(pointer, 1, 8, queue), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemAddressFree(pointer, 2 * block), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemMap(pointer, block, 0, first, 0));
  open_up(pointer, block);
  CHECK(read(pointer + block - 8, 8, queue) == Bytes(8, 3));  // the memory kept its content
  OK(cuMemUnmap(pointer, 2 * block));
  OK(cuMemAddressFree(pointer, 2 * block));
  OK(cuMemRelease(first));
  OK(cuMemRelease(second));
  FAILS(cuMemRelease(second), CUDA_ERROR_INVALID_VALUE);
}

CASE("virtual memory: a fault where access was not given") {
  use_device();
  const CUdeviceptr pointer = reserved(block);
  OK(cuMemMap(pointer, block, 0, made(), 0));
  OK(cuMemsetD8Async(pointer, 1, 8, nullptr));
  FAILS(cuStreamSynchronize(nullptr), CUDA_ERROR_ILLEGAL_ADDRESS);
}

PROGRAM("program: imports physical memory") {
  use_device();
  CUmemGenericAllocationHandle handle = 0;
  FAILS(cuMemImportFromShareableHandle(&handle, reinterpret_cast<void*>(1), 1),
        CUDA_ERROR_INVALID_VALUE);
  OK(cuMemImportFromShareableHandle(&handle, reinterpret_cast<void*>(50), 1));
  const CUdeviceptr pointer = reserved(block);
  OK(cuMemMap(pointer, block, 0, handle, 0));
  open_up(pointer, block);
  CHECK(read(pointer, 64, nullptr) == Bytes(64, 5));
  OK(cuMemsetD8_v2(pointer, 6, 64));
  OK(cuCtxSynchronize());
  _exit(0);
}

CASE("virtual memory: another process maps it from a descriptor") {
  use_device();
  const auto handle = made(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  const CUdeviceptr pointer = reserved(block);
  OK(cuMemMap(pointer, block, 0, handle, 0));
  open_up(pointer, block);
  OK(cuMemsetD8_v2(pointer, 5, 64));
  OK(cuCtxSynchronize());
  int file = -1;
  OK(cuMemExportToShareableHandle(&file, handle, 1, 0));
  CHECK(dup2(file, 50) == 50);  // the child gets it as 50
  Child child("program: imports physical memory");
  EQUAL(child.end(), 0);
  CHECK(read(pointer, 64, nullptr) == Bytes(64, 6));
  FAILS(cuMemExportToShareableHandle(&file, made(), 1, 0), CUDA_ERROR_INVALID_VALUE);
}

CASE("virtual memory: what is mapped and unmapped leaves the process no mappings") {
  use_device();
  const auto memory = made();
  std::ptrdiff_t before = 0;
  for (int round = 0; round < 200; ++round) {
    if (round == 10) before = mappings();
    const CUdeviceptr pointer = reserved(block);
    OK(cuMemMap(pointer, block, 0, memory, 0));
    open_up(pointer, block);
    OK(cuMemUnmap(pointer, block));
    OK(cuMemAddressFree(pointer, block));
  }
  CHECK(mappings() < before + 20);
  OK(cuMemRelease(memory));
}
