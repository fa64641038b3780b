#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "driver/context.hpp"

namespace array_interface::cuda {

/// The driver's events that are free to be recorded again: without timing, of primary contexts.
/// There is one pool for the process, never destroyed.
class EventPool {
 public:
  static EventPool& Get();

  /// An event of the context, which is current. Throws DriverError.
  EventHandle Take(const Context& context);
  /// Makes sure that the next Take finds one, unless another thread is faster. Throws DriverError.
  void Prepare(const Context& context);
  /// Takes an event back, reached or not. A wait for its last record is not affected.
  void Give(const Context& context, EventHandle event) noexcept;

  /// Destroys those that are free.
  void Empty() noexcept;
  /// How many are free.
  std::size_t free();

 private:
  EventPool() = default;

  /// Most free events of each context. More are needed only while much work is pending.
  static constexpr std::size_t kMostFree = 64;

  std::mutex mutex_;
  std::map<const Context*, std::vector<EventHandle>> free_;
};

}  // namespace array_interface::cuda
