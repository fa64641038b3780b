#pragma once

#include <vector>

#include "driver/context.hpp"
#include "ordering/event.hpp"

namespace array_interface::cuda {

/// A driver result, and the call that returned it.
struct CallResult {
  Result result = kSuccess;
  const char* call = nullptr;
  /// The context that it is about, if that is not the work's own context.
  const Context* other = nullptr;

  /// Throws DriverError unless it is kSuccess.
  void AssertSuccess() const;
};

/// Primary contexts of other devices whose work some work is ordered after. If one of them is lost,
/// the driver starts the dependent work anyway, on whatever the lost work has left.
using Dependencies = std::vector<const Context*>;

/// Returns kSuccess if all of them still work: then all their work that has ended has succeeded.
CallResult Ask(const Dependencies& contexts) noexcept;

/// An event that streams can wait for.
class WaitableEvent : public Event {
 public:
  /// Returns whether it is complete. Throws DriverError if work before it failed or the driver
  /// cannot tell.
  virtual bool Query() = 0;
  /// Makes work enqueued on a stream of `context` from now on start after it. Returns the other
  /// contexts that must not be lost for the work before it to succeed. Throws DriverError; then the
  /// stream does not wait.
  virtual Dependencies HoldUp(const Context& context, StreamHandle stream) const = 0;
  /// Identifies the in-order queue of the event: an address that its events share and keep valid.
  /// Null if the event has no such queue.
  virtual const void* queue() const noexcept { return nullptr; }
};

}  // namespace array_interface::cuda
