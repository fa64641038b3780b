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
};

}  // namespace array_interface::cuda
