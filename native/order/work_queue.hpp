#pragma once

#include <memory>

#include "order/point.hpp"

namespace array_interface {

/// A queue of work on a device, as the order of memory knows it: a CUDA stream, a SYCL queue. Each
/// function but the last two throws the backend's error.
class WorkQueue {
 public:
  virtual ~WorkQueue() = default;

  /// Whether both are one native queue that lives as long as they do. False for a stranger's queue
  /// that is known by its handle alone, even beside itself: the handle may be another's tomorrow.
  virtual bool IsSame(const WorkQueue& other) const noexcept = 0;

  /// A point after everything that the queue was given so far. Does not wait.
  virtual std::shared_ptr<Point> Record() = 0;
  /// Everything given from now on starts after a point of the same backend. Does not wait.
  virtual void Wait(const Point& point) = 0;
  /// Blocks until everything that the queue was given has ended.
  virtual void Synchronize() = 0;

  /// Throws where work would be recorded for later instead of done: ERR_CAPTURE. Changes nothing.
  virtual void AssertRuns() const {}
  /// The same as an answer, for threads that nobody catches for.
  virtual bool Runs() const noexcept { return true; }
};

}  // namespace array_interface
