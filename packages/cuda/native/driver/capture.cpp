#include "driver/capture.hpp"

#include "driver/driver.hpp"

namespace array_interface::cuda {

// NOLINTNEXTLINE(bugprone-exception-escape): there is a driver, so Cuda() does not throw
void LeaveCapturesAlone() noexcept {
  const auto& exchange = Cuda().cuThreadExchangeStreamCaptureMode;
  if (!exchange.IsBound()) return;
  CaptureMode mode = kCaptureRelaxed;
  exchange.Try(&mode);
}

}  // namespace array_interface::cuda
