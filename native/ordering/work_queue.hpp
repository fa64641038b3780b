#pragma once

#include <memory>

#include "ordering/event.hpp"

namespace array_interface {

/// A queue of work on a device, such as a CUDA stream or a SYCL queue, as a DependencyTracker uses
/// it. Each function that is not noexcept throws the backend's error.
class WorkQueue {
 public:
  virtual ~WorkQueue() = default;

  /// Whether both are the same native queue, which lives as long as these objects do. False for a
  /// foreign queue that is known only by its handle, even if compared with itself: the handle may
  /// belong to another queue later.
  virtual bool IsSame(const WorkQueue& other) const noexcept = 0;

  /// Allocates what the next Record needs. Called before work is enqueued that would otherwise have
  /// no event.
  virtual void Prepare() {}
  /// Records an event after everything enqueued so far. Does not block.
  virtual std::shared_ptr<Event> Record() = 0;
  /// Makes everything that is enqueued from now on start after an event of the same backend. Does
  /// not block.
  virtual void Wait(const Event& event) = 0;
  /// Blocks until everything enqueued so far has ended. Needs no event.
  virtual void Synchronize() = 0;

  /// Throws ERR_CAPTURE if work would be captured for later instead of run. Changes nothing.
  virtual void AssertRuns() const {}
  /// Whether work would run instead of being captured. For threads where nothing catches an
  /// exception.
  virtual bool Runs() const noexcept { return true; }
  /// Whether the queue cannot be exported to consumers any more: its owner gave it up, and so did
  /// the arrays and capsules that named it.
  virtual bool IsOver() const noexcept { return false; }
  /// Whether it is known that nothing runs there any more, because its device failed or its context
  /// is gone.
  virtual bool IsLost() const noexcept { return false; }
};

}  // namespace array_interface
