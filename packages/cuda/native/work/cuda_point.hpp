#pragma once

#include "driver/context.hpp"
#include "order/point.hpp"

namespace array_interface::cuda {

/// A point that streams can be made to wait for.
class CudaPoint : public Point {
 public:
  /// Whether it is reached. Throws DriverError when work before it failed.
  virtual bool Query() = 0;
  /// Makes what a stream of `context` is given from now on start after it. Throws DriverError.
  virtual void HoldUp(const Context& context, StreamHandle stream) const = 0;
  /// The same for points that are reached in the order in which they were made, an address that
  /// each of them keeps; null for one in no such order.
  virtual const void* queue() const noexcept { return nullptr; }
};

}  // namespace array_interface::cuda
