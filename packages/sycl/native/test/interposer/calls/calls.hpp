#pragma once

#include <cstddef>
#include <cstdint>

namespace array_interface::sycl::interposer {

/// The C library's functions that the interposer implements, by their names. All others are
/// forwarded unchanged (export.hpp).
struct Calls {
  static void CString_Delete(const char* text);

  static void* DeviceMgr_GetDevices(int mask);
  static std::int64_t DeviceMgr_GetRelativeId(void* device);
  static void* DeviceMgr_GetCachedContext(void* device);
  static std::size_t DeviceVector_Size(void* vector);
  static void* DeviceVector_GetAt(void* vector, std::size_t index);
  static void DeviceVector_Delete(void* vector);
  static bool Device_AreEq(void* one, void* other);
  static std::size_t Device_Hash(void* device);
  static void* Device_CreateFromSelector(void* selector);
  static void Device_Delete(void* device);
  static void* FilterSelector_Create(const char* text);
  static void DeviceSelector_Delete(void* selector);
  static void* Device_Copy(void* device);
  static void* Device_GetParentDevice(void* device);
  static void* Device_CreateSubDevicesEqually(void* device, std::size_t units);
  static bool Device_CanAccessPeer(void* device, void* peer, int kind);
  static void Device_EnablePeerAccess(void* device, void* peer);
  static void Device_DisablePeerAccess(void* device, void* peer);

  static void* Context_Create(void* device, void (*handler)(int), int properties);
  static void* Context_Copy(void* context);
  static void* Context_GetDevices(void* context);
  static void Context_Delete(void* context);

  static void* Queue_Create(void* context, void* device, void (*handler)(int), int properties);
  static void* Queue_CreateForDevice(void* device, void (*handler)(int), int properties);
  static void* Queue_Copy(void* queue);
  static void* Queue_GetContext(void* queue);
  static void* Queue_GetDevice(void* queue);
  static void Queue_Wait(void* queue);
  static void Queue_Delete(void* queue);

  static void* Queue_SubmitBarrier(void* queue);
  static void* Queue_SubmitBarrierForEvents(void* queue, void** events, std::size_t count);
  static void* Queue_Memcpy(void* queue, void* destination, const void* source, std::size_t size);
  static void* Queue_MemcpyWithEvents(void* queue, void* destination, const void* source,
                                      std::size_t size, void** events, std::size_t count);
  static void* Queue_Memset(void* queue, void* pointer, std::uint8_t value, std::size_t size);
  static void* Queue_SubmitRange(void* kernel, void* queue, void** arguments, const int* types,
                                 std::size_t count, const std::size_t* range, std::size_t rank,
                                 void** events, std::size_t event_count);
  static void* Queue_SubmitNDRange(void* kernel, void* queue, void** arguments, const int* types,
                                   std::size_t count, const std::size_t* range,
                                   const std::size_t* group, std::size_t rank, void** events,
                                   std::size_t event_count);

  static int Event_GetCommandExecutionStatus(void* event);
  static void Event_Wait(void* event);
  static void Event_WaitAndThrow(void* event);
  static std::uint64_t Event_GetProfilingInfoSubmit(void* event);
  static std::uint64_t Event_GetProfilingInfoStart(void* event);
  static std::uint64_t Event_GetProfilingInfoEnd(void* event);
  static void* Event_Copy(void* event);
  static void Event_Delete(void* event);

  static void* aligned_alloc_device(std::size_t alignment, std::size_t size, void* queue);
  static void* aligned_alloc_shared(std::size_t alignment, std::size_t size, void* queue);
  static void* aligned_alloc_host(std::size_t alignment, std::size_t size, void* queue);
  static void* malloc_device(std::size_t size, void* queue);
  static void* malloc_shared(std::size_t size, void* queue);
  static void* malloc_host(std::size_t size, void* queue);
  static void free_with_context(void* pointer, void* context);
  static void free_with_queue(void* pointer, void* queue);
  static int USM_GetPointerType(void* pointer, void* context);
  static void* USM_GetPointerDevice(void* pointer, void* context);

  static void* KernelBundle_CreateFromSpirv(void* context, void* device, const void* module,
                                            std::size_t size, const char* options);
  static void* KernelBundle_CreateFromOCLSource(void* context, void* device, const char* source,
                                                const char* options);
  static void* KernelBundle_GetKernel(void* bundle, const char* name);
  static void KernelBundle_Delete(void* bundle);
  static void* Kernel_Copy(void* kernel);
  static void Kernel_Delete(void* kernel);
  static void* RawKernelArg_Create(void* bytes, std::size_t count);
  static void RawKernelArg_Delete(void* structure);
};

}  // namespace array_interface::sycl::interposer
