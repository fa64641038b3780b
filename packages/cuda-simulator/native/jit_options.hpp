#pragma once

#include <string>

namespace array_interface::cuda_simulator {

/// The options of a call that compiles or links, as the caller gave them: numbers and values beside
/// one another. Must not outlive them.
struct JitOptions {
  unsigned count = 0;
  const int* numbers = nullptr;
  void* const* values = nullptr;

  /// Says in the caller's log for errors, where there is one, why something was refused.
  void explain(const std::string& reason) const;

  /// Leaves both of the caller's logs empty.
  void clear_logs() const;
};

}  // namespace array_interface::cuda_simulator
