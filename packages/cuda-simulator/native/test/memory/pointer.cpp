#include <set>

#include "test/harness/gpu.hpp"

using namespace test;

namespace {

constexpr int context_attribute = 1;
constexpr int memory_type = 2;
constexpr int device_pointer = 3;
constexpr int host_pointer = 4;
constexpr int buffer_id = 7;
constexpr int is_managed = 8;
constexpr int device_ordinal = 9;
constexpr int range_start = 11;
constexpr int range_size = 12;

template <class Value>
Value attribute(int number, CUdeviceptr pointer) {
  Value value{};
  OK(cuPointerGetAttribute(&value, number, pointer));
  return value;
}

}  // namespace

CASE("pointer: device memory is described") {
  const CUcontext context = use_device(1);
  const CUdeviceptr start = device_memory(100);
  const CUdeviceptr inside = start + 40;
  CHECK(attribute<CUcontext>(context_attribute, inside) == context);
  EQUAL(attribute<unsigned>(memory_type, inside), CU_MEMORYTYPE_DEVICE);
  EQUAL(attribute<CUdeviceptr>(device_pointer, inside), inside);
  EQUAL(attribute<unsigned>(is_managed, inside), 0u);
  EQUAL(attribute<int>(device_ordinal, inside), 1);
  EQUAL(attribute<CUdeviceptr>(range_start, inside), start);
  EQUAL(attribute<std::size_t>(range_size, inside), std::size_t{100});
  void* host = nullptr;
  FAILS(cuPointerGetAttribute(&host, host_pointer, inside), CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr base = 0;
  std::size_t size = 0;
  OK(cuMemGetAddressRange_v2(&base, &size, start + 99));
  EQUAL(base, start);
  EQUAL(size, std::size_t{100});
  FAILS(cuMemGetAddressRange_v2(&base, &size, start + 100), CUDA_ERROR_NOT_FOUND);
  int value = 0;
  FAILS(cuPointerGetAttribute(&value, 5000, inside), CUDA_ERROR_INVALID_VALUE);
}

CASE("pointer: pinned, registered and managed memory are told apart") {
  use_device();
  Bytes bytes(64);
  OK(cuMemHostRegister_v2(bytes.data(), 64, 0));
  const auto registered = reinterpret_cast<CUdeviceptr>(bytes.data());
  const auto pinned = reinterpret_cast<CUdeviceptr>(pinned_memory(64));
  CUdeviceptr managed = 0;
  OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
  EQUAL(attribute<unsigned>(memory_type, pinned), CU_MEMORYTYPE_HOST);
  EQUAL(attribute<unsigned>(memory_type, registered), CU_MEMORYTYPE_HOST);
  EQUAL(attribute<unsigned>(memory_type, managed), CU_MEMORYTYPE_DEVICE);
  EQUAL(attribute<unsigned>(is_managed, managed), 1u);
  EQUAL(attribute<unsigned>(is_managed, pinned), 0u);
  EQUAL(attribute<CUdeviceptr>(host_pointer, pinned + 1), pinned + 1);
  EQUAL(attribute<CUdeviceptr>(host_pointer, managed), managed);
}

CASE("pointer: each allocation has an id, and no two ever the same") {
  use_device();
  std::set<std::uint64_t> ids;
  const auto is_new = [&](CUdeviceptr pointer) {
    return ids.insert(attribute<std::uint64_t>(buffer_id, pointer)).second;
  };
  Bytes bytes(64);
  OK(cuMemHostRegister_v2(bytes.data(), 64, 0));
  CUdeviceptr managed = 0;
  CUdeviceptr pooled = 0;
  OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
  OK(cuMemAllocAsync(&pooled, 64, nullptr));
  CHECK(is_new(reinterpret_cast<CUdeviceptr>(bytes.data())) && is_new(managed) && is_new(pooled));
  CHECK(is_new(reinterpret_cast<CUdeviceptr>(pinned_memory(64))));
  for (int round = 0; round < 3; ++round) {
    const CUdeviceptr pointer = device_memory(64);
    CHECK(is_new(pointer));
    EQUAL(attribute<std::uint64_t>(buffer_id, pointer + 63),
          attribute<std::uint64_t>(buffer_id, pointer));
    OK(cuMemFree_v2(pointer));
  }
}

CASE("pointer: an unknown one is an error alone, and zeros among several attributes") {
  use_device();
  Bytes bytes(8);
  const auto unknown = reinterpret_cast<CUdeviceptr>(bytes.data());
  unsigned type = 7;
  int ordinal = 7;
  CUcontext context = reinterpret_cast<CUcontext>(7);
  FAILS(cuPointerGetAttribute(&type, memory_type, unknown), CUDA_ERROR_INVALID_VALUE);
  int attributes[] = {memory_type, device_ordinal, context_attribute};
  void* data[] = {&type, &ordinal, &context};
  OK(cuPointerGetAttributes(3, attributes, data, unknown));
  EQUAL(type, 0u);
  EQUAL(ordinal, 0);
  CHECK(context == nullptr);
  const CUdeviceptr freed = device_memory(8);
  OK(cuPointerGetAttributes(3, attributes, data, freed));
  EQUAL(type, CU_MEMORYTYPE_DEVICE);
  OK(cuMemFree_v2(freed));
  OK(cuPointerGetAttributes(3, attributes, data, freed));
  EQUAL(type, 0u);
}
