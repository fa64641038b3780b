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
  kStaging,     ///< pinned, rounded up to a size that many copies share
  kRegistered,  ///< this process's own memory, registered with the driver
  kPool,        ///< from a pool, in stream order
  kOpened,      ///< another process's
};

/// Memory that the driver allocated, or that is registered with it. The destructor of each final
/// class releases memory that is still allocated, so that none leaks before it has a block.
class CudaAllocation : public Allocation {
 public:
  /// Implements Allocation::Release. A second call does nothing.
  void Release() noexcept final;

  const std::shared_ptr<Context>& context() const { return context_; }
  MemoryKind memory_kind() const { return static_cast<MemoryKind>(kind()); }
  /// Address of the first byte for this process; null for device memory.
  std::byte* host() const { return host_; }

  /// Whether kernels of another device can access it. Memory of pools has its own rules. Throws
  /// DriverError.
  virtual bool ReachedFrom(Context& context) { return context.Reach(context_->device()); }

 protected:
  CudaAllocation(std::shared_ptr<Context> context, MemoryKind kind, std::size_t size)
      : Allocation(context.get(), static_cast<int>(kind), size), context_(std::move(context)) {}

  /// Marks the memory as allocated: it counts as a live allocation until it is released.
  void Begin(DevicePointer pointer, void* host);
  /// Marks the memory as freed by other means than GiveBack. Returns false if it was freed already.
  bool Finish() noexcept;
  /// Returns it to the driver. The context is current. May throw DriverError.
  virtual void GiveBack() = 0;

 private:
  std::shared_ptr<Context> context_;
  std::byte* host_ = nullptr;
  std::atomic<bool> is_there_{false};
};

/// Memory that the driver allocates directly, not in stream order:
/// - device: from cuMemAlloc. Other libraries find it by pointer queries, and other processes by
///   IPC handles.
/// - managed: the devices and this process can access it.
/// - pinned and staging: the driver allocated it in this process, and devices can access it.
class DriverAllocation final : public CudaAllocation {
 public:
  /// Allocates uninitialised bytes, at least one. Staging sizes are rounded up for reuse. Throws
  /// DriverError.
  DriverAllocation(std::shared_ptr<Context> context, MemoryKind kind, std::size_t size);
  ~DriverAllocation() override { Release(); }

  /// Returns the bytes that are allocated for `size` bytes of staging.
  static std::size_t StagingSize(std::size_t size);

  /// For device memory, an eighth of the device's memory, but at least 64 MiB. For other memory, 64
  /// MiB.
  std::size_t kept_at_most() const override { return is_shared_ ? 0 : kept_at_most_; }
  /// Drivers allocate small device memory in pieces of 512 bytes from blocks of 2 MiB, and large
  /// device memory in whole blocks. Other memory takes whole host pages.
  std::size_t footprint() const override;

  /// Returns a handle of device memory for another process. From now on, the memory is not cached
  /// for the next allocation, since the handle would keep naming it. Throws DriverError.
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

/// Returns what `make` returns, or null if the driver is out of memory. Throws DriverError.
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
