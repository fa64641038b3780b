#pragma once

#include <cstddef>
#include <cstdint>

#include "order/order.hpp"

namespace array_interface {

/// Memory that a driver gave, or was told of, until Release: one subclass for each way in which it
/// goes back. Knows nothing of the work on it.
class Allocation {
 public:
  virtual ~Allocation() = default;
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

  /// Gives it back, once. May wait for strangers' work on the device. Never throws: after a failure
  /// there is nothing left to give back.
  virtual void Release() noexcept = 0;

  /// Gives it back in the order of a queue of its own, after all of `rest`, without waiting; true
  /// where that was done. Only memory of pools can.
  virtual bool ReleaseInOrder(const Rest&) noexcept { return false; }

  /// Bytes of the same place and kind that may be kept for the next one of just this size; 0: none.
  virtual std::size_t kept_at_most() const { return 0; }

  /// The first byte as queues use it.
  std::uint64_t pointer() const { return pointer_; }
  /// Bytes that were asked for.
  std::size_t size() const { return size_; }
  /// Whose memory it takes: only compared.
  const void* place() const { return place_; }
  /// The backend's number for what sort of memory it is: only compared.
  int kind() const { return kind_; }

 protected:
  Allocation(const void* place, int kind, std::size_t size)
      : place_(place), kind_(kind), size_(size) {}
  void set_pointer(std::uint64_t pointer) { pointer_ = pointer; }

 private:
  const void* place_;
  int kind_;
  std::size_t size_;
  std::uint64_t pointer_ = 0;
};

}  // namespace array_interface
