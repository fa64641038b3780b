#pragma once

#include <cstddef>
#include <cstdint>

#include "ordering/dependency_tracker.hpp"

namespace array_interface {

/// Memory that a driver allocated or registered, until Release. There is a subclass for each way to
/// free it. It does not track the work on the memory.
class Allocation {
 public:
  virtual ~Allocation() = default;
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

  /// Frees the memory. Call once. May block on other libraries' work on the device. Never throws:
  /// after a failure there is nothing left to free.
  virtual void Release() noexcept = 0;

  /// Frees the memory without blocking, in stream order: on a queue of its own, after all of the
  /// pending work. Returns true if it did. Only memory from pools supports it.
  virtual bool ReleaseInOrder(const PendingWork&) noexcept { return false; }

  /// Bytes that the device reserves for it, if that is known to be more than size().
  virtual std::size_t footprint() const { return size_; }

  /// The limit on bytes, as footprint() counts them, of this device and kind that may be cached for
  /// the next allocation of the same size. 0 if none may be cached.
  virtual std::size_t kept_at_most() const { return 0; }

  /// The address of the first byte, as queues use it.
  std::uint64_t pointer() const { return pointer_; }
  /// Bytes that were requested.
  std::size_t size() const { return size_; }
  /// Identifies the device or context of the memory. Only used in comparisons.
  const void* device() const { return device_; }
  /// The backend's number for the kind of memory. Only used in comparisons.
  int kind() const { return kind_; }

 protected:
  Allocation(const void* device, int kind, std::size_t size)
      : device_(device), kind_(kind), size_(size) {}
  /// Rounds `size` up to whole pages or blocks of `piece` bytes.
  static std::size_t InPieces(std::size_t size, std::size_t piece) {
    return (size + piece - 1) / piece * piece;
  }
  void set_pointer(std::uint64_t pointer) { pointer_ = pointer; }

 private:
  const void* device_;
  int kind_;
  std::size_t size_;
  std::uint64_t pointer_ = 0;
};

}  // namespace array_interface
