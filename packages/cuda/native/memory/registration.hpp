#pragma once

#include <atomic>

#include "napi/setup.hpp"

namespace array_interface::cuda {

/// Whether the driver still knows memory of JavaScript's that it was told of: so long nobody may
/// let go of the buffer.
class Registration {
 public:
  static constexpr napi_type_tag kTag{0xc30d8f5b1a7e4269, 0x97f1e4d20b6c385a};

  bool ended() const { return ended_; }
  void End() { ended_ = true; }

 private:
  std::atomic<bool> ended_{false};
};

}  // namespace array_interface::cuda
