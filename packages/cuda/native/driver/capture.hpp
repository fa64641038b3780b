#pragma once

namespace array_interface::cuda {

/// For threads of our own: their calls do not break a capture that another thread has begun, which
/// the driver's default mode lets them. Never throws.
void LeaveCapturesAlone() noexcept;

}  // namespace array_interface::cuda
