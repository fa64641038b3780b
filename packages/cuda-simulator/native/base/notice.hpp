#pragma once

#include <string>

namespace array_interface::cuda_simulator {

/// Writes "cuda-simulator: TEXT" on stderr. Never fails: drops what it cannot write.
void notice(const std::string& text) noexcept;

}  // namespace array_interface::cuda_simulator
