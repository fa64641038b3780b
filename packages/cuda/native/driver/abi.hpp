#pragma once

#include <cstddef>
#include <cstdint>

// The part of the CUDA driver's binary interface that the addon speaks, declared here so that no
// toolkit is needed. Names and numbers are the driver's.

namespace array_interface::cuda {

static_assert(sizeof(void*) == 8, "the driver is spoken to with 64-bit pointers");

enum Result : int {
  kSuccess = 0,
  kOutOfMemory = 2,
  kInvalidContext = 201,
  kNotFound = 500,
  kNotReady = 600,
  kPeerAccessAlreadyEnabled = 704,
};

using DeviceNumber = int;
using DevicePointer = std::uint64_t;
using ContextHandle = struct CUctx_st*;
using StreamHandle = struct CUstream_st*;
using EventHandle = struct CUevent_st*;
using ModuleHandle = struct CUmod_st*;
using FunctionHandle = struct CUfunc_st*;

/// The driver's two streams without a handle of their own; each context has them.
inline constexpr std::uint64_t kLegacyStream = 1;
inline constexpr std::uint64_t kPerThreadStream = 2;

inline constexpr unsigned kStreamNonBlocking = 1;
inline constexpr unsigned kEventDisableTiming = 2;
inline constexpr unsigned kAttachGlobal = 1;
inline constexpr unsigned kHostAllocPortable = 1;
inline constexpr unsigned kHostAllocDeviceMap = 2;

inline constexpr unsigned kMemoryTypeHost = 1;
inline constexpr unsigned kMemoryTypeDevice = 2;
inline constexpr unsigned kMemoryTypeUnified = 4;

enum PointerAttribute : int {
  kAttributeContext = 1,
  kAttributeMemoryType = 2,
  kAttributeDevicePointer = 3,
  kAttributeHostPointer = 4,
  kAttributeIsManaged = 8,
  kAttributeDeviceOrdinal = 9,
  kAttributeRangeStart = 11,
  kAttributeRangeSize = 12,
};

enum JitOption : int { kJitErrorLog = 5, kJitErrorLogSize = 6 };

inline constexpr std::uint64_t kProcAddressLegacyStream = 1;

}  // namespace array_interface::cuda
