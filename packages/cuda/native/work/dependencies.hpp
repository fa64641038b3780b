#pragma once

#include <vector>

#include "driver/context.hpp"

namespace array_interface::cuda {

/// What the driver answered, and to which call.
struct Answer {
  Result result = kSuccess;
  const char* call = nullptr;
  /// The context that it is about, where that is another one than the work's own.
  const Context* other = nullptr;

  /// Throws DriverError unless it is kSuccess.
  void AssertSuccess() const;
};

/// Primary contexts of other devices with work that some work comes after. Where one of them is
/// lost, a driver lets that work begin, on whatever the lost work has left.
using Dependencies = std::vector<const Context*>;

/// kSuccess where all of them still work: then all their work that has ended has ended well.
Answer Ask(const Dependencies& contexts) noexcept;

}  // namespace array_interface::cuda
