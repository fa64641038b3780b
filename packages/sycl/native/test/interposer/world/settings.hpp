#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace array_interface::sycl::interposer {

/// When commands are submitted to the runtime.
enum class Order {
  kEager,   ///< at once
  kLazy,    ///< when something waits for them
  kRandom,  ///< at once, when something waits for them, or in between
};

/// How the interposer differs from the real library. Set by the environment at the start of the
/// process, and later by the functions of control.cpp.
struct Settings {
  Settings();

  /// `eager`, `lazy`, `random`, or `random:` and a seed. Anything else is eager.
  void SetOrder(const std::string& text);
  /// A number below `limit`, of the random schedule.
  std::uint64_t Random(std::uint64_t limit);
  /// Throws an error with the text `thrown`, unless it is empty, and clears it.
  void ThrowOnce();

  Order order = Order::kEager;
  bool two_devices = false;
  bool blocking_free = false;  ///< memory is freed once the whole device is idle
  bool keeps_freed = false;    ///< freed memory is kept, so that each later use is found
  bool are_peers = false;      ///< whether the two devices can enable peer access
  int looks = 16;              ///< how often a lazy command's status is queried before it starts
  std::size_t limit = 0;       ///< bytes of device and shared memory for each device; 0: no limit
  std::string thrown;  ///< the text of the error that the next allocation throws; empty: none

 private:
  std::uint64_t seed_ = 1;
};

}  // namespace array_interface::sycl::interposer
