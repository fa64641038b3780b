#pragma once

#include "driver/context.hpp"
#include "order/point.hpp"
#include "work/dependencies.hpp"

namespace array_interface::cuda {

/// A point that streams can be made to wait for.
class CudaPoint : public Point {
 public:
  /// Whether it is reached. Throws DriverError when work before it failed, and where the driver
  /// does not say.
  virtual bool Query() = 0;
  /// Makes work that a stream of `context` gets from now on start after it. Returns the other
  /// contexts that have to work on for the work before it to end well. Throws DriverError: the
  /// stream does not wait then.
  virtual Dependencies HoldUp(const Context& context, StreamHandle stream) const = 0;
  /// An address that all points share that are reached in the order in which they were made; each
  /// keeps it. Null: the point is in no such order.
  virtual const void* queue() const noexcept { return nullptr; }
};

}  // namespace array_interface::cuda
