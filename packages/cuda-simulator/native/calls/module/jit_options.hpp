#pragma once

#include <string>

namespace array_interface::cuda_simulator {

/// The options of a call that compiles or links, as the caller gave them: two lists, of numbers and
/// of values. Must not outlive them.
struct JitOptions {
  unsigned count = 0;
  const int* numbers = nullptr;
  void* const* values = nullptr;

  /// Writes into the caller's error log, where there is one, why something was refused.
  void explain(const std::string& reason) const;

  /// Empties both of the caller's logs.
  void clear_logs() const;
};

}  // namespace array_interface::cuda_simulator
