#pragma once

#include <cstdint>

#include "driver/abi.hpp"

namespace array_interface::cuda {

/// What the driver knows about an address.
struct PointerInfo {
  bool is_known = false;
  bool is_managed = false;
  bool is_ipc_capable = false;  ///< whether the driver gives an IPC handle for it
  unsigned memory_type = 0;
  int device = -1;
  ContextHandle context = nullptr;
  DevicePointer device_pointer = 0;  ///< how kernels of the current context reach it, or 0
  std::uint64_t host_pointer = 0;    ///< how this process reaches it, or 0
  DevicePointer range_start = 0;
  std::uint64_t range_size = 0;
  std::uint64_t buffer_id = 0;  ///< never given twice in a process
  PoolHandle pool = nullptr;    ///< of memory from a pool; null on drivers before 11.3
};

/// Asks with one call, in the current context. Where the driver needs a context and none is
/// current, it asks in the first device's. Touches no memory. An unknown address is an answer.
/// Throws DriverError.
PointerInfo InspectPointer(DevicePointer pointer);

}  // namespace array_interface::cuda
