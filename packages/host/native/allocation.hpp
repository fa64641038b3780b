#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace array_interface {

/// System memory, aligned to 64 bytes and freed with its last holder. Every live allocation of the
/// process can be found by address, whichever thread made it.
class Allocation {
 public:
  static constexpr std::size_t kAlignment = 64;

  /// Null when there is no memory.
  static std::shared_ptr<Allocation> Make(std::uint64_t size);
  /// The live allocation that `address` lies in, or null. The address after the last byte does not.
  static std::shared_ptr<Allocation> Find(std::uintptr_t address);
  static std::size_t LiveCount();

  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  ~Allocation();

  std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(data_); }
  std::size_t size() const { return size_; }

 private:
  Allocation(void* data, std::size_t size) : data_(data), size_(size) {}

  void* data_;
  std::size_t size_;
};

}  // namespace array_interface
