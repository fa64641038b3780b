#pragma once

#include <climits>
#include <cstdint>
#include <memory>
#include <thread>

/// Mistakes that the sanitizers must report; each function returns when they do not.
namespace planted {

/// Reads one element beyond an allocation.
inline int overflow() {
  const auto values = std::make_unique<std::int32_t[]>(4);
  volatile std::size_t beyond = 4;
  return values[beyond];
}

/// Adds one to the largest int.
inline int undefined() {
  volatile int largest = INT_MAX;
  return largest + 1;
}

/// Two threads write the same variable.
inline int race() {
  static int shared = 0;
  std::thread other([] { ++shared; });
  ++shared;
  other.join();
  return shared;
}

}  // namespace planted
