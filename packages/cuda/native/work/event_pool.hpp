#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "driver/context.hpp"

namespace array_interface::cuda {

/// The driver's events that nobody uses just now, to be recorded again: without timing, of primary
/// contexts. One for the process, never destroyed.
class EventPool {
 public:
  static EventPool& Get();

  /// An event of the context, which is current. Throws DriverError.
  EventHandle Take(const Context& context);
  /// Takes one back, whether it is reached or not: who waits for its last record keeps that.
  void Give(const Context& context, EventHandle event) noexcept;

  /// Destroys those that are free.
  void Empty() noexcept;
  /// How many are free.
  std::size_t free();

 private:
  EventPool() = default;

  /// Of each context; more are only needed while much work is pending.
  static constexpr std::size_t kMostFree = 64;

  std::mutex mutex_;
  std::map<const Context*, std::vector<EventHandle>> free_;
};

}  // namespace array_interface::cuda
