#include <cstdio>
#include <cstring>

#include "base/driver_api.hpp"
#include "base/multiprocessor.hpp"
#include "base/settings.hpp"
#include "driver/call.hpp"
#include "driver/leaks.hpp"

using namespace array_interface::cuda_simulator;

const int simcuda_marker = 1;

namespace {

// A fictitious PCI bus number, above those of small machines.
constexpr int first_bus = 0xA1;

struct Attribute {
  int number;
  int value;
};

/// Attributes of an average server GPU. Those of features that the simulator lacks are 0.
constexpr Attribute attributes[] = {
    {1, 1024},                         // max threads per block
    {2, 1024},                         // max block x
    {3, 1024},                         // max block y
    {4, 64},                           // max block z
    {5, 2147483647},                   // max grid x
    {6, 65535},                        // max grid y
    {7, 65535},                        // max grid z
    {8, 49152},                        // shared memory per block
    {9, 65536},                        // constant memory
    {10, 32},                          // warp size
    {11, 2147483647},                  // max pitch
    {12, 65536},                       // registers per block
    {13, 1000000},                     // clock, kHz
    {14, 512},                         // texture alignment
    {15, 1},                           // copies overlap with kernels
    {16, multiprocessors},             // multiprocessors
    {19, 1},                           // can map host memory
    {31, 1},                           // concurrent kernels
    {36, 1000000},                     // memory clock, kHz
    {37, 256},                         // memory bus width
    {38, 4194304},                     // L2 cache
    {39, threads_per_multiprocessor},  // threads per multiprocessor
    {40, 2},                           // copy engines
    {41, 1},                           // unified addressing
    {51, 32},                          // texture pitch alignment
    {75, 9},                           // compute capability, major
    {76, 0},                           // compute capability, minor
    {78, 1},                           // stream priorities
    {79, 1},                           // global L1 cache
    {80, 1},                           // local L1 cache
    {81, shared_per_multiprocessor},   // shared memory per multiprocessor
    {82, 65536},                       // registers per multiprocessor
    {83, 1},                           // managed memory
    {87, 2},                           // single to double precision ratio
    {89, 1},                           // concurrent managed access
    {91, 1},                           // a registered pointer is the same on the device
    {92, 1},                           // operations of streams on memory, of 32 bits
    {93, 1},                           // and of 64
    {94, 1},                           // waits for bits that are not set
    {122, 1},                          // the same two, of the second interface
    {123, 1},
    {97, 232448},                      // shared memory per block, opt-in
    {99, 1},                           // host memory can be registered
    {106, blocks_per_multiprocessor},  // blocks per multiprocessor
    {115, 1},                          // memory pools
    {102, 1},                          // virtual memory management
    {103, 1},                          // handles that are POSIX file descriptors
    {119, 1},                          // of pools: POSIX file descriptors
    {95, 1},                           // cooperative launch
    {111, 1024},                       // reserved shared memory per block
};
constexpr int last_attribute = 147;

void put_text(char* target, int length, const char* text) {
  require(target != nullptr && length > 0);
  std::snprintf(target, static_cast<std::size_t>(length), "%s", text);
}

void put_uuid(CUuuid* uuid, CUdevice device) {
  require(uuid != nullptr);
  context_of(device);
  std::memcpy(uuid->bytes, "cuda-simulator\0", 16);
  uuid->bytes[15] = static_cast<char>(device);
}

}  // namespace

CUresult cuInit(unsigned flags) {
  return guarded(__func__, [&] {
    require(flags == 0);
    if (!settings().problem.empty()) {
      std::fprintf(stderr, "cuda-simulator: %s\n", settings().problem.c_str());
      throw Failure{CUDA_ERROR_INVALID_VALUE};
    }
    require(settings().devices > 0, CUDA_ERROR_NO_DEVICE);
    mark_initialized();
    // Registered first, so that it runs after the leak report.
    if (settings().teardown) tear_down_at_exit();
    if (settings().leaks) report_leaks_at_exit();
    enter_call("cuInit");
  });
}

CUresult cuDriverGetVersion(int* version) {
  return plain_call(__func__, [&] {
    require(version != nullptr);
    *version = settings().driver_version;
  });
}

CUresult cuDeviceGetCount(int* count) {
  return driver_value(__func__, count, [] { return settings().devices; });
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return driver_value(__func__, device, [&] { return context_of(ordinal).device; });
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return driver_call(__func__, [&] {
    char text[80];
    std::snprintf(text, sizeof text, "array-interface CUDA simulator (host memory), device %d",
                  context_of(device).device);
    put_text(name, length, text);
  });
}

CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice device) {
  return driver_value(__func__, bytes, [&] {
    context_of(device);
    return settings().memory;
  });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return driver_call(__func__, [&] { put_uuid(uuid, device); });
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  return driver_call(__func__, [&] { put_uuid(uuid, device); });
}

CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  return driver_call(__func__, [&] {
    char place[24];
    std::snprintf(place, sizeof place, "0000:%02X:00.0", first_bus + context_of(device).device);
    put_text(text, length, place);
  });
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  return driver_value(__func__, device, [&] {
    require(text != nullptr);
    unsigned domain = 0;
    unsigned bus = 0;
    require(std::sscanf(text, "%x:%x:", &domain, &bus) == 2 && domain == 0 && bus < 256);
    return context_of(static_cast<int>(bus) - first_bus).device;
  });
}

CUresult cuDeviceGetAttribute(int* value, int attribute, CUdevice device) {
  return driver_value(__func__, value, [&] {
    require(attribute >= 1 && attribute <= last_attribute);
    const int ordinal = context_of(device).device;
    for (const Attribute& row : attributes) {
      if (row.number == attribute) return row.value;
    }
    return attribute == 33 ? first_bus + ordinal : 0;  // PCI bus
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const CUresult result = cuDeviceGetAttribute(major, 75, device);
  return result == CUDA_SUCCESS ? cuDeviceGetAttribute(minor, 76, device) : result;
}

CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device) {
  return driver_value(__func__, properties, [&] {
    context_of(device);
    const auto value = [](int attribute) {
      for (const Attribute& row : attributes) {
        if (row.number == attribute) return row.value;
      }
      return 0;
    };
    return CUdevprop{value(1),
                     {value(2), value(3), value(4)},
                     {value(5), value(6), value(7)},
                     value(8),
                     value(9),
                     value(10),
                     value(11),
                     value(12),
                     value(13),
                     value(14)};
  });
}

CUresult cuDeviceGetExecAffinitySupport(int* supported, int type, CUdevice device) {
  return driver_value(__func__, supported, [&] {
    context_of(device);
    require(type == 0);
    return 0;
  });
}

namespace {

/// The atomic operations of integers and floats that kernels do on each other's memory: on one
/// value of 32 or 64 bits.
CUresult tell_atomics(const char* symbol, unsigned* capabilities, const int* operations,
                      unsigned count, CUdevice device) {
  constexpr unsigned signed_or_not_32_and_64 = 0xf;
  constexpr int last_operation = 12;
  return driver_call(symbol, [&] {
    context_of(device);
    require(capabilities != nullptr && operations != nullptr && count != 0);
    for (unsigned index = 0; index < count; ++index) {
      require(operations[index] >= 0 && operations[index] <= last_operation);
      capabilities[index] = signed_or_not_32_and_64;
    }
  });
}

}  // namespace

CUresult cuDeviceGetHostAtomicCapabilities(unsigned* capabilities, const int* operations,
                                           unsigned count, CUdevice device) {
  return tell_atomics(__func__, capabilities, operations, count, device);
}

CUresult cuDeviceGetP2PAtomicCapabilities(unsigned* capabilities, const int* operations,
                                          unsigned count, CUdevice source, CUdevice destination) {
  if (source == destination) return CUDA_ERROR_INVALID_DEVICE;
  const CUresult result = tell_atomics(__func__, capabilities, operations, count, source);
  const bool reaches = settings().can_access(source, destination);
  for (unsigned index = 0; result == CUDA_SUCCESS && !reaches && index < count; ++index) {
    capabilities[index] = 0;
  }
  return result;
}
