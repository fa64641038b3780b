#pragma once

#include <cstddef>
#include <cstdint>

// The part of the CUDA driver's ABI that the addon uses, declared here so that building needs no
// toolkit. Names and numbers are the driver's.

namespace array_interface::cuda {

static_assert(sizeof(void*) == 8, "the driver is spoken to with 64-bit pointers");

enum Result : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kDeinitialized = 4,
  kInvalidDevice = 101,
  kInvalidContext = 201,
  kMapFailed = 205,
  kInvalidHandle = 400,
  kNotFound = 500,
  kNotReady = 600,
  kPeerAccessAlreadyEnabled = 704,
  kContextIsDestroyed = 709,
  kCaptureImplicit = 906,
};

using DeviceNumber = int;
using DevicePointer = std::uint64_t;
using ContextHandle = struct CUctx_st*;
using StreamHandle = struct CUstream_st*;
using EventHandle = struct CUevent_st*;
using ModuleHandle = struct CUmod_st*;
using FunctionHandle = struct CUfunc_st*;
using PoolHandle = struct CUmemPoolHandle_st*;

/// The driver's two streams without a handle of their own. Each context has both.
inline constexpr std::uint64_t kLegacyStream = 1;
inline constexpr std::uint64_t kPerThreadStream = 2;

inline constexpr unsigned kStreamNonBlocking = 1;
inline constexpr unsigned kEventDisableTiming = 2;
inline constexpr unsigned kEventInterprocess = 4;
inline constexpr unsigned kIpcLazyPeerAccess = 1;
inline constexpr unsigned kAttachGlobal = 1;
inline constexpr unsigned kHostAllocPortable = 1;
inline constexpr unsigned kHostAllocDeviceMap = 2;

inline constexpr unsigned kMemoryTypeHost = 1;
inline constexpr unsigned kMemoryTypeDevice = 2;
inline constexpr unsigned kMemoryTypeUnified = 4;

inline constexpr unsigned kRegisterPortable = 1;
inline constexpr unsigned kRegisterDeviceMap = 2;

enum DeviceAttribute : int {
  kDeviceMaximumBlockX = 2,
  kDeviceMaximumBlockY = 3,
  kDeviceMaximumBlockZ = 4,
  kDeviceMaximumPitch = 11,
  kDeviceConcurrentManagedAccess = 89,
  kDeviceMaximumShared = 97,
  kDevicePoolsSupported = 115
};

enum PointerAttribute : int {
  kAttributeContext = 1,
  kAttributeMemoryType = 2,
  kAttributeDevicePointer = 3,
  kAttributeHostPointer = 4,
  kAttributeBufferId = 7,
  kAttributeIsManaged = 8,
  kAttributeDeviceOrdinal = 9,
  kAttributeIsIpcCapable = 10,
  kAttributeRangeStart = 11,
  kAttributeRangeSize = 12,
  kAttributePool = 17,
};

/// The first driver version that knows kAttributePool.
inline constexpr int kPoolAttributeVersion = 11030;

enum CaptureStatus : int { kCaptureNone = 0 };
enum CaptureMode : int { kCaptureRelaxed = 2 };

/// CUipcMemHandle and CUipcEventHandle.
struct IpcHandle {
  unsigned char bytes[64];
};

struct Uuid {
  unsigned char bytes[16];
};

inline constexpr int kLocationDevice = 1;

struct MemoryLocation {
  int type;
  int id;
};

struct PoolProperties {
  int allocation_type;
  int handle_types;
  MemoryLocation location;
  void* security;
  std::size_t maximum_size;
  unsigned char reserved[56];
};
static_assert(sizeof(PoolProperties) == 88, "CUmemPoolProps");

inline constexpr int kAllocationPinned = 1;

enum PoolAttribute : int {
  kPoolReleaseThreshold = 4,
  kPoolReserved = 5,
  kPoolUsed = 7,
};

struct PoolAccess {
  MemoryLocation location;
  int flags;
};

inline constexpr int kAccessReadWrite = 3;

/// CUDA_MEMCPY2D.
struct Copy2D {
  std::size_t source_x, source_y;
  unsigned source_type;
  const void* source_host;
  DevicePointer source;
  void* source_array;
  std::size_t source_pitch;
  std::size_t destination_x, destination_y;
  unsigned destination_type;
  void* destination_host;
  DevicePointer destination;
  void* destination_array;
  std::size_t destination_pitch;
  std::size_t width, height;
};
static_assert(sizeof(Copy2D) == 128, "CUDA_MEMCPY2D");

/// CUDA_MEMCPY3D.
struct Copy3D {
  std::size_t source_x, source_y, source_z, source_lod;
  unsigned source_type;
  const void* source_host;
  DevicePointer source;
  void* source_array;
  void* reserved0;
  std::size_t source_pitch, source_height;
  std::size_t destination_x, destination_y, destination_z, destination_lod;
  unsigned destination_type;
  void* destination_host;
  DevicePointer destination;
  void* destination_array;
  void* reserved1;
  std::size_t destination_pitch, destination_height;
  std::size_t width, height, depth;
};
static_assert(sizeof(Copy3D) == 200, "CUDA_MEMCPY3D");

enum JitOption : int { kJitErrorLog = 5, kJitErrorLogSize = 6 };

enum FunctionAttribute : int { kMaximumThreads = 0, kStaticShared = 1, kMaximumDynamicShared = 8 };

inline constexpr std::uint64_t kProcAddressLegacyStream = 1;

}  // namespace array_interface::cuda
