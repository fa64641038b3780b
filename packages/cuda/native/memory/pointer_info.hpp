#pragma once

#include <cstdint>

#include "driver/abi.hpp"

namespace array_interface::cuda {

/// What the driver knows about an address.
struct PointerInfo {
  bool is_known = false;
  bool is_managed = false;
  bool is_ipc_capable = false;  ///< whether the driver can export an IPC handle for it
  unsigned memory_type = 0;
  int device = -1;
  ContextHandle context = nullptr;
  DevicePointer device_pointer = 0;  ///< address for kernels of the current context, or 0
  std::uint64_t host_pointer = 0;    ///< address for this process, or 0
  DevicePointer range_start = 0;
  std::uint64_t range_size = 0;
  std::uint64_t buffer_id = 0;  ///< unique within a process
  PoolHandle pool = nullptr;    ///< for pool memory; null on drivers before 11.3
};

/// Queries the driver with one call, in the current context. If the driver needs a context and none
/// is current, uses the first device's. Touches no memory. An unknown address is not an error.
/// Throws DriverError.
PointerInfo InspectPointer(DevicePointer pointer);

}  // namespace array_interface::cuda
