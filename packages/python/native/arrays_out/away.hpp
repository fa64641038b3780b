#pragma once

#include <optional>

#include "arrays_out/shared_array.hpp"
#include "interpreter/end.hpp"
#include "interpreter/entry.hpp"

namespace array_interface {

/// Detaches an attached thread while an array ends. Its driver then orders work, and may wait for a
/// thread that waits for Python's lock. Does nothing for host memory, which has no driver, nor on
/// the thread that ends the process, which stays attached.
class Away {
 public:
  explicit Away(ArrayPlace place) {
    if (place != ArrayPlace::kHost && !StaysAttached()) detached_.emplace();
  }

 private:
  std::optional<Detached> detached_;
};

}  // namespace array_interface
