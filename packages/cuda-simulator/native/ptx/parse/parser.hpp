#pragma once

#include <memory>
#include <string_view>

#include "ptx/program/program.hpp"

namespace array_interface::cuda_simulator::ptx {

/// Parses, decodes and links all texts that are concatenated in `text`. Throws Refusal.
std::unique_ptr<Program> load_program(std::string_view text);

}  // namespace array_interface::cuda_simulator::ptx
