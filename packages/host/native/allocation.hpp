#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace array_interface {

/// Memory of this package, aligned to 64 bytes and freed with its last reference. It is system
/// memory, or memory that processes share. Every live allocation of the process can be found by
/// address, whichever thread made it.
class Allocation {
 public:
  static constexpr std::size_t kAlignment = 64;

  /// Allocates system memory. Null if there is none.
  static std::shared_ptr<Allocation> Make(std::uint64_t size);
  /// Wraps `size` bytes at `data`, which stay as long as `memory`.
  static std::shared_ptr<Allocation> Over(std::shared_ptr<void> memory, void* data,
                                          std::size_t size);
  /// The live allocation that contains `address`, or null. The address after the last byte is not
  /// part of it.
  static std::shared_ptr<Allocation> Find(std::uintptr_t address);
  /// True if `address` is one of this package's, and no allocation lives there (any more).
  static bool IsGone(std::uintptr_t address);
  static std::size_t LiveCount();

  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  ~Allocation();

  std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(data_); }
  std::size_t size() const { return size_; }

  /// Counts those who may work on the memory, in all threads: leases, and for good each capsule,
  /// whose takers are not known. Buffers of JavaScript do not count.
  void AddUser() { ++users_; }
  void RemoveUser() { --users_; }
  bool HasOneUser() const { return users_ == 1; }

 private:
  Allocation(std::shared_ptr<void> memory, void* data, std::size_t size)
      : memory_(std::move(memory)), data_(data), size_(size) {}

  std::shared_ptr<void> memory_;
  void* data_;
  std::size_t size_;
  std::atomic<int> users_{0};
};

}  // namespace array_interface
