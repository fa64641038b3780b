#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "driver/context.hpp"

namespace array_interface::cuda {

/// Driver events that can be recorded again: without timing, of primary contexts. There is one pool
/// per process, never destroyed.
class EventPool {
 public:
  static EventPool& Get();

  /// Returns an event of the context, which must be current. Throws DriverError.
  EventHandle Take(const Context& context);
  /// Ensures that the next Take finds one, unless another thread takes it first. Throws
  /// DriverError.
  void Prepare(const Context& context);
  /// Returns an event to the pool, complete or not. A wait for its last record is not affected.
  void Give(const Context& context, EventHandle event) noexcept;

  /// Destroys the free events.
  void Empty() noexcept;
  /// Number of free events.
  std::size_t free();

 private:
  EventPool() = default;

  /// Maximum free events per context. More are needed only while much work is pending.
  static constexpr std::size_t kMostFree = 64;

  std::mutex mutex_;
  std::map<const Context*, std::vector<EventHandle>> free_;
};

}  // namespace array_interface::cuda
