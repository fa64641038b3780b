#pragma once

#include <string_view>

#include "linker.hpp"

namespace array_interface::cuda_simulator::ptx {

/// Reads all texts that stand in `text` one behind the other, and links them. Throws Refusal.
void parse(std::string_view text, Linker& linker);

}  // namespace array_interface::cuda_simulator::ptx
