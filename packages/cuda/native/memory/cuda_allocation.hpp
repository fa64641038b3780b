#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "driver/context.hpp"
#include "driver/driver_error.hpp"
#include "memory/allocation.hpp"

namespace array_interface::cuda {

enum class MemoryKind {
  kDevice,
  kManaged,
  kPinned,
  kStaging,     ///< pinned, of a size that many copies share
  kRegistered,  ///< this process's own memory, which the driver was told of
  kPool,        ///< from a pool, in the order of a stream
  kOpened,      ///< another process's
};

/// Memory that the driver allocated, or that is registered with it. The destructor of each final
/// class releases memory that nobody released, so that none is lost before it has a block.
class CudaAllocation : public Allocation {
 public:
  /// See Allocation::Release. A second call does nothing.
  void Release() noexcept final;

  const std::shared_ptr<Context>& context() const { return context_; }
  MemoryKind memory_kind() const { return static_cast<MemoryKind>(kind()); }
  /// The first byte as this process uses it; null for device memory.
  std::byte* host() const { return host_; }

  /// Whether kernels of another device reach it. Memory of pools has rules of its own. Throws
  /// DriverError.
  virtual bool ReachedFrom(Context& context) { return context.Reach(context_->device()); }

 protected:
  CudaAllocation(std::shared_ptr<Context> context, MemoryKind kind, std::size_t size)
      : Allocation(context.get(), static_cast<int>(kind), size), context_(std::move(context)) {}

  /// The memory exists: it counts among the live allocations until it is released.
  void Begin(DevicePointer pointer, void* host);
  /// The memory goes in another way than by GiveBack. False: it has gone already.
  bool Finish() noexcept;
  /// Gives it to the driver. The context is current. May throw DriverError.
  virtual void GiveBack() = 0;

 private:
  std::shared_ptr<Context> context_;
  std::byte* host_ = nullptr;
  std::atomic<bool> is_there_{false};
};

/// Memory that the driver allocates by itself, in no stream's order:
///   device: of cuMemAlloc. Other libraries know it by pointer queries, and other processes by
///     handles.
///   managed: the devices and this process reach it.
///   pinned and staging: the driver allocated it in this process, and devices reach it.
class DriverAllocation final : public CudaAllocation {
 public:
  /// Uninitialised bytes, at least one. Staging has at least so many bytes, since its sizes are
  /// rounded to be used again. Throws DriverError.
  DriverAllocation(std::shared_ptr<Context> context, MemoryKind kind, std::size_t size);
  ~DriverAllocation() override { Release(); }

  /// Bytes that are allocated for so many bytes of staging.
  static std::size_t StagingSize(std::size_t size);

  /// Of device memory an eighth of what the device has, but at least 64 MiB. Of other memory 64
  /// MiB.
  std::size_t kept_at_most() const override { return is_shared_ ? 0 : kept_at_most_; }
  /// Drivers give small device memory in pieces of 512 bytes, out of blocks of 2 MiB, and large
  /// memory in whole blocks. Other memory has whole pages of the host.
  std::size_t footprint() const override;

  /// A handle of device memory for another process. From now on the memory is not kept for the next
  /// allocation, since the handle goes on to name it. Throws DriverError.
  IpcHandle Share();

 protected:
  void GiveBack() override;

 private:
  void AllocateDevice();
  void AllocateManaged();
  void AllocatePinned();

  std::size_t kept_at_most_;
  std::atomic<bool> is_shared_{false};
};

/// The allocation that `make` makes, or null where the driver has no memory. Throws DriverError.
template <class Make>
auto OrNone(const Make& make) -> decltype(make()) {
  try {
    return make();
  } catch (const DriverError& error) {
    if (error.result() != kOutOfMemory) throw;
    return nullptr;
  }
}

}  // namespace array_interface::cuda
