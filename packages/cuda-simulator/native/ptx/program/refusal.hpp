#pragma once

#include <stdexcept>
#include <string>

namespace array_interface::cuda_simulator::ptx {

/// The reason why a PTX text is refused: "line 12: expected …, got …, what to do".
struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] inline void refuse(unsigned line, const std::string& reason) {
  throw Refusal("line " + std::to_string(line) + ": " + reason);
}

}  // namespace array_interface::cuda_simulator::ptx
