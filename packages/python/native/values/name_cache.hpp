#pragma once

#include <array>
#include <cstddef>

#include "interpreter/reference.hpp"

namespace array_interface {

/// The last names of attributes that one environment used, as interned strs: Python finds the
/// attributes of these fastest. The thread is attached, but at the end.
class NameCache {
 public:
  /// Of longer names, nothing is kept.
  static constexpr std::size_t kLongest = 31;

  NameCache() = default;
  NameCache(const NameCache&) = delete;
  NameCache& operator=(const NameCache&) = delete;
  ~NameCache();

  /// The str of UTF-16 units, at most kLongest. Null, with a Python exception set: memory is short.
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
