#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace array_interface::sycl::interposer {

/// When commands reach the runtime.
enum class Order {
  kEager,   ///< at once
  kLazy,    ///< when something waits for them
  kRandom,  ///< at once, or when something waits for them, or in between
};

/// How the interposer differs from the real library. The environment says it when the process
/// starts, the functions of control.cpp later.
struct Settings {
  Settings();

  /// eager, lazy, random, or random: and a seed. Anything else is eager.
  void SetOrder(const std::string& text);
  /// A number below `limit`, of the random schedule.
  std::uint64_t Random(std::uint64_t limit);
  /// Throws what `thrown` says, if it says something, and forgets it.
  void ThrowOnce();

  Order order = Order::kEager;
  bool two_devices = false;
  bool blocking_free = false;  ///< memory is freed once the whole device is idle
  bool keeps_freed = false;    ///< freed memory stays, so that each later use is seen
  bool are_peers = false;      ///< whether the two devices may be made to reach one another
  int looks = 16;              ///< how often a lazy command's state is asked before it begins
  std::size_t limit = 0;       ///< bytes of device and shared memory for each device; 0: no limit
  std::string thrown;          ///< the text of what the next allocation throws; empty: nothing

 private:
  std::uint64_t seed_ = 1;
};

}  // namespace array_interface::sycl::interposer
