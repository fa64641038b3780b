#pragma once

#include <cstddef>
#include <cstdint>

#include "driver/dpctl.hpp"

// Functions that the addon does not use but that are also forwarded: for the interposer itself, and
// for tests that act as another library in the process.
#define ARRAY_INTERFACE_MORE_DPCTL_FUNCTIONS(X)                                                   \
  X(std::size_t, Queue_Hash, (void*))                                                             \
  X(std::size_t, Context_Hash, (void*))                                                           \
  X(std::size_t, Device_Hash, (void*))                                                            \
  X(bool, Device_CanAccessPeer, (void*, void*, int))                                              \
  X(void, Device_EnablePeerAccess, (void*, void*))                                                \
  X(void, Device_DisablePeerAccess, (void*, void*))                                               \
  X(void*, Kernel_Copy, (void*))                                                                  \
  X(void*, KernelBundle_CreateFromOCLSource, (void*, void*, const char*, const char*))            \
  X(void*, Event_Copy, (void*))                                                                   \
  X(void, Event_Wait, (void*))                                                                    \
  X(void*, Queue_CreateForDevice, (void*, void (*)(int), int))                                    \
  X(void*, Queue_Memset, (void*, void*, std::uint8_t, std::size_t))                               \
  X(void*, Queue_MemcpyWithEvents, (void*, void*, const void*, std::size_t, void**, std::size_t)) \
  X(void*, malloc_device, (std::size_t, void*))                                                   \
  X(void*, malloc_shared, (std::size_t, void*))                                                   \
  X(void*, malloc_host, (std::size_t, void*))                                                     \
  X(void, free_with_queue, (void*, void*))

namespace array_interface::sycl::interposer {

/// The runtime's functions that the addon uses.
struct UsedFunctions {
#define ARRAY_INTERFACE_POINTER(Result, Name, Parameters) Result(*Name) Parameters = nullptr;
  ARRAY_INTERFACE_DPCTL_FUNCTIONS(ARRAY_INTERFACE_POINTER)
};

/// The runtime's functions that only tests use.
struct MoreFunctions {
  ARRAY_INTERFACE_MORE_DPCTL_FUNCTIONS(ARRAY_INTERFACE_POINTER)
#undef ARRAY_INTERFACE_POINTER
};

/// The real library, loaded on first use from the file that ARRAY_INTERFACE_INTERPOSER_LIBRARY
/// names. Ends the process if it cannot be loaded.
const UsedFunctions& real();
const MoreFunctions& more();

}  // namespace array_interface::sycl::interposer
