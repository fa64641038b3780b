#include "driver/capture.hpp"

#include "driver/driver.hpp"

namespace array_interface::cuda {

void LeaveCapturesAlone() noexcept {
  const auto& exchange = Cuda().cuThreadExchangeStreamCaptureMode;
  if (!exchange.IsBound()) return;
  CaptureMode mode = kCaptureRelaxed;
  exchange.Try(&mode);
}

}  // namespace array_interface::cuda
