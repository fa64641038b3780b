#pragma once

#include <memory>

#include "ordering/event.hpp"

namespace array_interface {

/// A queue of work on a device, as the order of memory sees it: a CUDA stream or a SYCL queue. Each
/// function that is not noexcept throws the backend's error.
class WorkQueue {
 public:
  virtual ~WorkQueue() = default;

  /// Whether both are one native queue that lives as long as they do. False for a foreign queue
  /// that is known by its handle alone, even compared with itself: the handle may be another
  /// queue's tomorrow.
  virtual bool IsSame(const WorkQueue& other) const noexcept = 0;

  /// Makes sure of what the next Record needs, before work is enqueued that would have no event
  /// without it.
  virtual void Prepare() {}
  /// An event after everything that the queue has got so far. Does not wait.
  virtual std::shared_ptr<Event> Record() = 0;
  /// Makes everything that the queue gets from now on start after an event of the same backend.
  /// Does not wait.
  virtual void Wait(const Event& event) = 0;
  /// Blocks until everything that the queue has got so far has ended. Needs no event.
  virtual void Synchronize() = 0;

  /// Throws ERR_CAPTURE where work would be recorded for later instead of done. Changes nothing.
  virtual void AssertRuns() const {}
  /// Whether work would be done and not recorded; for threads where nothing catches an exception.
  virtual bool Runs() const noexcept { return true; }
  /// Whether nobody can name it to consumers any more: whoever held it gave it up, and so did the
  /// arrays and capsules that named it.
  virtual bool IsOver() const noexcept { return false; }
  /// Whether it is known that nothing runs there any more, since its device failed or its context
  /// is gone.
  virtual bool IsLost() const noexcept { return false; }
};

}  // namespace array_interface
