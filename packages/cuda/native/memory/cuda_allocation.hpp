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

/// Memory that the driver gave, or was told of. Each final class releases what nobody released in
/// its destructor, so that none is lost on the way to a block.
class CudaAllocation : public Allocation {
 public:
  /// See Allocation::Release. A second call does nothing.
  void Release() noexcept final;

  const std::shared_ptr<Context>& context() const { return context_; }
  MemoryKind memory_kind() const { return static_cast<MemoryKind>(kind()); }
  /// The first byte as this process uses it; null for device memory.
  std::byte* host() const { return host_; }

  /// Whether kernels of another device reach it where that may differ from what devices do: memory
  /// of pools. Throws DriverError.
  virtual bool ReachedFrom(Context& context) { return context.Reach(context_->device()); }

 protected:
  CudaAllocation(std::shared_ptr<Context> context, MemoryKind kind, std::size_t size)
      : Allocation(context.get(), static_cast<int>(kind), size), context_(std::move(context)) {}

  /// It is there: counts among the live allocations until it is released.
  void Begin(DevicePointer pointer, void* host);
  /// It goes otherwise than by GiveBack; false where it has gone already.
  bool Finish() noexcept;
  /// Gives it to the driver; the context is current. May throw DriverError.
  virtual void GiveBack() = 0;

 private:
  std::shared_ptr<Context> context_;
  std::byte* host_ = nullptr;
  std::atomic<bool> is_there_{false};
};

/// What an allocation makes, or null where the driver has no memory. Throws DriverError.
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
