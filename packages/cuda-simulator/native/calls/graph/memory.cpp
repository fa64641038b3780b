#include <cstdint>

#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "memory/graph_memory.hpp"

// The memory that nodes of graphs allocate, by device.

using namespace array_interface::cuda_simulator;

namespace {

enum Attribute { used_current, used_high, reserved_current, reserved_high };

}  // namespace

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, int attribute, void* value) {
  return driver_value(__func__, static_cast<std::uint64_t*>(value), [&]() -> std::uint64_t {
    const GraphMemoryUse use = graph_memory_use(context_of(device).device);
    switch (attribute) {
      case used_current:
      case reserved_current:
        return use.now;
      case used_high:
        return use.used_high;
      case reserved_high:
        return use.reserved_high;
      default:
        throw Failure{CUDA_ERROR_INVALID_VALUE};
    }
  });
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, int attribute, void* value) {
  return driver_call(__func__, [&] {
    const CUdevice known = context_of(device).device;
    require(value != nullptr && *static_cast<std::uint64_t*>(value) == 0);
    require(attribute == used_high || attribute == reserved_high);
    reset_graph_memory(known, attribute == used_high ? &GraphMemoryUse::used_high
                                                     : &GraphMemoryUse::reserved_high);
  });
}

CUresult cuDeviceGraphMemTrim(CUdevice device) {
  return driver_call(__func__, [&] { context_of(device); });  // nothing is kept beyond its graph
}
