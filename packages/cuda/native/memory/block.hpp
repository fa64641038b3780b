#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "driver/context.hpp"
#include "work/live_counts.hpp"

namespace array_interface::cuda {

enum class MemoryKind {
  kDevice,
  kManaged,
  kPinned,
  kStaging,  ///< pinned, and kept for the next one when it is given back
};

/// What the driver allocated, until Release gives it back.
class Block {
 public:
  /// Uninitialised bytes, at least one. Throws DriverError.
  Block(std::shared_ptr<Context> context, MemoryKind kind, std::size_t size);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// Gives the memory back; the driver may wait for the device. Never throws: after a failure of
  /// the context there is nothing left to give back.
  void Release() noexcept;

  /// Waits for all work of the context; never throws.
  void WaitForContext() const noexcept;

  /// Whether it counts among the live allocations.
  void Count(bool is_live);

  const std::shared_ptr<Context>& context() const { return context_; }
  MemoryKind kind() const { return kind_; }
  std::size_t size() const { return size_; }
  /// The first byte as kernels and copies of the context use it.
  DevicePointer pointer() const { return pointer_; }
  /// The first byte as this process uses it; null for device memory.
  std::byte* host() const { return static_cast<std::byte*>(host_); }

 private:
  void MapPinned();
  bool IsPinned() const { return kind_ == MemoryKind::kPinned || kind_ == MemoryKind::kStaging; }

  std::shared_ptr<Context> context_;
  MemoryKind kind_;
  std::size_t size_;
  DevicePointer pointer_ = 0;
  void* host_ = nullptr;
  std::optional<LiveCount> count_;
};

}  // namespace array_interface::cuda
