#pragma once

#include <string>

namespace array_interface::cuda_simulator {

/// The options of a call that compiles or links, as the caller passed them: a list of numbers and
/// one of values. Must not outlive them.
struct JitOptions {
  unsigned count = 0;
  const int* numbers = nullptr;
  void* const* values = nullptr;

  /// Writes why something was refused into the caller's error log, if there is one.
  void explain(const std::string& reason) const;

  /// Clears both of the caller's logs.
  void clear_logs() const;
};

}  // namespace array_interface::cuda_simulator
