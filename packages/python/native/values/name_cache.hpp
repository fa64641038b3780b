#pragma once

#include <array>
#include <cstddef>

#include "interpreter/reference.hpp"

namespace array_interface {

/// The attribute names that one environment used last, as interned strs, with which Python finds
/// attributes fastest. The thread must be attached, except at the end.
class NameCache {
 public:
  /// Longer names are not cached.
  static constexpr std::size_t kLongest = 31;

  NameCache() = default;
  NameCache(const NameCache&) = delete;
  NameCache& operator=(const NameCache&) = delete;
  ~NameCache();

  /// The str of UTF-16 units, at most kLongest of them. Null, with a Python exception set, if there
  /// is no memory.
  Reference Find(const char16_t* units, std::size_t length);

 private:
  struct Slot {
    std::array<char16_t, kLongest> units;
    std::size_t length = 0;
    PyObject* name = nullptr;
  };
  std::array<Slot, 256> slots_;
};

}  // namespace array_interface
