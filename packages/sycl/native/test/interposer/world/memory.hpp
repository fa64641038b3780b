#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "command.hpp"
#include "driver/dpctl.hpp"

namespace array_interface::sycl::interposer {

/// One live USM allocation.
struct Allocation {
  UsmType type;
  Mark device;
  std::size_t context;
  std::size_t size;
  std::vector<CommandPointer> users;  ///< commands that touch it and may not have ended

  void AddUser(const CommandPointer& command);
};

/// What is allocated. Not safe by itself: see World.
class Memory {
 public:
  /// Whether an allocation may be tried; its bytes are counted from now on.
  bool Reserve(UsmType type, Mark device, std::size_t size, std::size_t limit);
  /// It failed.
  void Unreserve(UsmType type, Mark device, std::size_t size);
  void Add(const void* pointer, Allocation allocation);
  /// The allocation that an address is in, or null.
  Allocation* Around(const void* pointer);
  /// Takes the allocation out that begins there; false where none does.
  bool Remove(const void* pointer, Allocation& removed);
  /// Freed memory that the runtime still has, so that nothing else comes there.
  void Keep(const void* pointer, std::size_t size);
  bool IsKept(const void* pointer) const;
  /// The `nth` next allocation, counted from 1, and those after it, `count` together, fail.
  void Refuse(std::uint64_t nth, std::uint64_t count);
  /// As members of a JSON object: blocks and bytes by type.
  std::string Counts() const;

 private:
  struct Total {
    std::size_t blocks = 0;
    std::size_t bytes = 0;
  };

  bool IsRefused();

  std::map<std::uintptr_t, Allocation> live_;
  std::map<std::uintptr_t, std::size_t> kept_;
  std::array<Total, 4> totals_{};              // by type
  std::array<std::size_t, 2> device_bytes_{};  // device and shared memory, by device
  std::uint64_t before_refused_ = 0;
  std::uint64_t refused_ = 0;
};

}  // namespace array_interface::sycl::interposer
