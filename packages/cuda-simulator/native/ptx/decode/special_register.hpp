#pragma once

#include <string_view>

#include "ptx/program/program.hpp"

namespace array_interface::cuda_simulator::ptx {

/// Finds the special register with this name. Finds only those that do not change while a function
/// runs.
bool find_special_register(std::string_view name, Fill::Source& source);

}  // namespace array_interface::cuda_simulator::ptx
