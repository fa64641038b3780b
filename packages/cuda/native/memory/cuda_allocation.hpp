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

/// Bytes of a page of the host's memory.
inline constexpr std::size_t kPage = 4096;

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
