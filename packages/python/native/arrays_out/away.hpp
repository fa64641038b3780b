#pragma once

#include <optional>

#include "arrays_out/shared_array.hpp"
#include "interpreter/end.hpp"
#include "interpreter/entry.hpp"

namespace array_interface {

/// Detaches a thread, which is attached, while an array ends: its driver orders work then, and may
/// wait for a thread that waits for Python's lock. Not in host memory, which has no driver, nor
/// once exit() has begun, since the thread stays attached then.
class Away {
 public:
  explicit Away(ArrayPlace place) {
    if (place != ArrayPlace::kHost && !IsEnding()) detached_.emplace();
  }

 private:
  std::optional<Detached> detached_;
};

}  // namespace array_interface
