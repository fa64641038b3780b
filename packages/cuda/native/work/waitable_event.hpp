#pragma once

#include <vector>

#include "driver/context.hpp"
#include "ordering/event.hpp"

namespace array_interface::cuda {

/// What the driver answered, and to which call.
struct Answer {
  Result result = kSuccess;
  const char* call = nullptr;
  /// The context that it is about, where that is another one than the work's own.
  const Context* other = nullptr;

  /// Throws DriverError unless it is kSuccess.
  void AssertSuccess() const;
};

/// Primary contexts of other devices with work that some work comes after. Where one of them is
/// lost, a driver lets that work begin, on whatever the lost work has left.
using Dependencies = std::vector<const Context*>;

/// kSuccess where all of them still work: then all their work that has ended has ended well.
Answer Ask(const Dependencies& contexts) noexcept;

/// An event that streams can be made to wait for.
class WaitableEvent : public Event {
 public:
  /// Whether it is reached. Throws DriverError when work before it failed, and where the driver
  /// does not say.
  virtual bool Query() = 0;
  /// Makes work that a stream of `context` gets from now on start after it. Returns the other
  /// contexts that have to work on for the work before it to end well. Throws DriverError: the
  /// stream does not wait then.
  virtual Dependencies HoldUp(const Context& context, StreamHandle stream) const = 0;
  /// An address that all events share that are reached in the order in which they were made; each
  /// keeps it. Null: the event is in no such order.
  virtual const void* queue() const noexcept { return nullptr; }
};

}  // namespace array_interface::cuda
