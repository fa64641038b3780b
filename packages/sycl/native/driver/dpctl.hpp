#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "guarded.hpp"
#include "library/library.hpp"

// The functions of libDPCTLSyclInterface.so that this addon calls: X(result, name without DPCTL,
// parameters). Every reference is an opaque pointer. Each kind of reference has its own delete
// function.
#define ARRAY_INTERFACE_DPCTL_FUNCTIONS(X)                                                      \
  X(const char*, Service_GetDPCPPVersion, (void))                                               \
  X(void, CString_Delete, (const char*))                                                        \
  X(void*, DeviceMgr_GetDevices, (int))                                                         \
  X(std::int64_t, DeviceMgr_GetRelativeId, (void*))                                             \
  X(void*, DeviceMgr_GetCachedContext, (void*))                                                 \
  X(std::size_t, DeviceVector_Size, (void*))                                                    \
  X(void*, DeviceVector_GetAt, (void*, std::size_t))                                            \
  X(void, DeviceVector_Delete, (void*))                                                         \
  X(const char*, Device_GetName, (void*))                                                       \
  X(const char*, Device_GetDriverVersion, (void*))                                              \
  X(int, Device_GetBackend, (void*))                                                            \
  X(int, Device_GetDeviceType, (void*))                                                         \
  X(std::uint64_t, Device_GetGlobalMemSize, (void*))                                            \
  X(bool, Device_HasAspect, (void*, int))                                                       \
  X(bool, Device_AreEq, (void*, void*))                                                         \
  X(void*, Device_CreateFromSelector, (void*))                                                  \
  X(void, Device_Delete, (void*))                                                               \
  X(void*, FilterSelector_Create, (const char*))                                                \
  X(void, DeviceSelector_Delete, (void*))                                                       \
  X(void*, Device_Copy, (void*))                                                                \
  X(void*, Device_GetParentDevice, (void*))                                                     \
  X(std::uint32_t, Device_GetMaxComputeUnits, (void*))                                          \
  X(std::size_t, Device_GetLocalMemSize, (void*))                                               \
  X(std::size_t, Device_GetMaxWorkGroupSize, (void*))                                           \
  X(void*, Device_CreateSubDevicesEqually, (void*, std::size_t))                                \
  X(void*, Context_Create, (void*, void (*)(int), int))                                         \
  X(void*, Context_Copy, (void*))                                                               \
  X(void*, Context_GetDevices, (void*))                                                         \
  X(bool, Context_AreEq, (void*, void*))                                                        \
  X(void, Context_Delete, (void*))                                                              \
  X(void*, Queue_Create, (void*, void*, void (*)(int), int))                                    \
  X(void*, Queue_Copy, (void*))                                                                 \
  X(void*, Queue_GetContext, (void*))                                                           \
  X(void*, Queue_GetDevice, (void*))                                                            \
  X(bool, Queue_IsInOrder, (void*))                                                             \
  X(bool, Queue_HasEnableProfiling, (void*))                                                    \
  X(bool, Queue_AreEq, (void*, void*))                                                          \
  X(void, Queue_Wait, (void*))                                                                  \
  X(void, Queue_Delete, (void*))                                                                \
  X(void*, Queue_SubmitBarrier, (void*))                                                        \
  X(void*, Queue_SubmitBarrierForEvents, (void*, void**, std::size_t))                          \
  X(void*, Queue_Memcpy, (void*, void*, const void*, std::size_t))                              \
  X(void*, Queue_SubmitRange,                                                                   \
    (void*, void*, void**, const int*, std::size_t, const std::size_t*, std::size_t, void**,    \
     std::size_t))                                                                              \
  X(void*, Queue_SubmitNDRange,                                                                 \
    (void*, void*, void**, const int*, std::size_t, const std::size_t*, const std::size_t*,     \
     std::size_t, void**, std::size_t))                                                         \
  X(int, Event_GetCommandExecutionStatus, (void*))                                              \
  X(void, Event_WaitAndThrow, (void*))                                                          \
  X(std::uint64_t, Event_GetProfilingInfoSubmit, (void*))                                       \
  X(std::uint64_t, Event_GetProfilingInfoStart, (void*))                                        \
  X(std::uint64_t, Event_GetProfilingInfoEnd, (void*))                                          \
  X(void, Event_Delete, (void*))                                                                \
  X(void*, aligned_alloc_device, (std::size_t, std::size_t, void*))                             \
  X(void*, aligned_alloc_shared, (std::size_t, std::size_t, void*))                             \
  X(void*, aligned_alloc_host, (std::size_t, std::size_t, void*))                               \
  X(void, free_with_context, (void*, void*))                                                    \
  X(int, USM_GetPointerType, (void*, void*))                                                    \
  X(void*, USM_GetPointerDevice, (void*, void*))                                                \
  X(void*, KernelBundle_CreateFromSpirv, (void*, void*, const void*, std::size_t, const char*)) \
  X(void*, KernelBundle_GetKernel, (void*, const char*))                                        \
  X(std::size_t, Kernel_GetNumArgs, (void*))                                                    \
  X(std::size_t, Kernel_GetWorkGroupSize, (void*))                                              \
  X(void, KernelBundle_Delete, (void*))                                                         \
  X(void, Kernel_Delete, (void*))                                                               \
  X(void*, RawKernelArg_Create, (void*, std::size_t))                                           \
  X(void, RawKernelArg_Delete, (void*))

namespace array_interface::sycl {

/// dpctl's C library, with a guard around every function.
struct Dpctl {
#define ARRAY_INTERFACE_DPCTL_MEMBER(Result, Name, Parameters) \
  Guarded<Result Parameters> Name{"DPCTL" #Name};
  ARRAY_INTERFACE_DPCTL_FUNCTIONS(ARRAY_INTERFACE_DPCTL_MEMBER)
#undef ARRAY_INTERFACE_DPCTL_MEMBER

  /// Binds all functions. Returns the names of those that the library lacks.
  std::vector<std::string> Bind(const Library& library);

  /// Copies a string and frees the original. Empty for null.
  std::string TakeString(const char* text) const;
};

enum class UsmType { kUnknown = 0, kDevice = 1, kShared = 2, kHost = 3 };
enum class EventStatus { kUnknown = 0, kSubmitted = 1, kRunning = 2, kComplete = 3 };

}  // namespace array_interface::sycl
