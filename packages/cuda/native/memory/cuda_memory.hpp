#pragma once

#include <memory>
#include <utility>

#include "device/device_memory.hpp"
#include "memory/process_memory.hpp"
#include "napi/setup.hpp"

namespace array_interface::cuda {

/// JavaScript's reference to memory that a context can access.
class CudaMemory : public DeviceMemory {
 public:
  static constexpr napi_type_tag kTag{0x7be4d1a09c3f4b58, 0x8e6f20c1d5a49b04};

  /// How other devices access another library's device memory: through its device, if it belongs to
  /// a context.
  struct Location {
    int device = 0;
    bool has_context = true;
  };

  /// What another reference needs, also one in another thread.
  struct Parts {
    std::shared_ptr<Block> block;
    Location location;
  };
  using Shared = Parts;

  CudaMemory(Napi::Env env, std::shared_ptr<Block> block, bool owns, Location location)
      : DeviceMemory(env, std::move(block), owns), location_(location) {}
  /// A loan.
  CudaMemory(Napi::Env env, Parts parts)
      : CudaMemory(env, std::move(parts.block), false, parts.location) {}

  /// Do not keep the producer of another library's memory alive.
  Parts parts() const { return {ref().block(), location_}; }
  /// Returns the memory for other threads.
  Shared Share() const { return parts(); }

  /// Null for another library's memory. This and all functions below require that the memory has
  /// not ended.
  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method): the same object
  CudaAllocation* allocation() const { return AllocationOf(*ref().block()); }
  /// Whether the memory is this library's, and not JavaScript's, which may end with its thread.
  bool OutlivesThread() const;
  /// Whether kernels on streams of the context can access the memory. Throws DriverError.
  bool IsReachedFrom(Context& context) const;

 private:
  Location location_;
};

/// Describes memory for JavaScript: { handle }, and if this library allocated it, { pointer,
/// byteLength, hostPointer }. hostPointer is 0n if this process cannot access it.
Napi::Object DescribeMemory(Napi::Env env, std::shared_ptr<CudaMemory> memory);

}  // namespace array_interface::cuda
