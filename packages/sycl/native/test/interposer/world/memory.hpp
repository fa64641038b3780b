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
  std::vector<CommandPointer> users;  ///< commands that access it and may not have ended

  void AddUser(const CommandPointer& command);
};

/// The allocations. Not thread-safe; World has the mutex.
class Memory {
 public:
  /// Whether an allocation may be tried. If so, its bytes count from now on.
  bool Reserve(UsmType type, Mark device, std::size_t size, std::size_t limit);
  /// Called if the allocation failed.
  void Unreserve(UsmType type, Mark device, std::size_t size);
  void Add(const void* pointer, Allocation allocation);
  /// The allocation that contains an address, or null.
  Allocation* Around(const void* pointer);
  /// Removes the allocation that begins at an address; false if there is none.
  bool Remove(const void* pointer, Allocation& removed);
  /// Keeps freed memory allocated in the runtime, so that its addresses are not reused.
  void Keep(const void* pointer, std::size_t size);
  bool IsKept(const void* pointer) const;
  /// Makes `count` allocations fail, beginning with the `nth` from now, counted from 1.
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
