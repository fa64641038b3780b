#pragma once

#include <cstddef>
#include <cstdint>

#include "ordering/dependency_tracker.hpp"

namespace array_interface {

/// Memory that a driver allocated or registered, until Release. Each way of giving it back is a
/// subclass. It knows nothing of the work on it.
class Allocation {
 public:
  virtual ~Allocation() = default;
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

  /// Gives it back, once. May wait for other libraries' work on the device. Never throws: after a
  /// failure there is nothing left to give back.
  virtual void Release() noexcept = 0;

  /// Gives it back without waiting, in the order of a queue of its own, after all of `rest`. True:
  /// that was done. Only memory of pools can.
  virtual bool ReleaseInOrder(const PendingWork&) noexcept { return false; }

  /// Bytes that the device really gives for it, where that is known to be more than size().
  virtual std::size_t footprint() const { return size_; }

  /// Most bytes, as footprint() counts them, of this device and kind that may be kept for the next
  /// allocation of the same size; 0: none.
  virtual std::size_t kept_at_most() const { return 0; }

  /// The address of the first byte, as queues use it.
  std::uint64_t pointer() const { return pointer_; }
  /// Bytes that were asked for.
  std::size_t size() const { return size_; }
  /// Identifies where the memory comes from. It is only compared.
  const void* device() const { return device_; }
  /// The backend's number for the kind of memory. It is only compared.
  int kind() const { return kind_; }

 protected:
  Allocation(const void* device, int kind, std::size_t size)
      : device_(device), kind_(kind), size_(size) {}
  /// So many bytes in whole pieces of a device, page or block.
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
