#pragma once

#include "ptx/program/program.hpp"

namespace array_interface::cuda_simulator::ptx {

/// Returns the function of the device's runtime with this name, or null.
Function::Builtin find_builtin(const Function& function);

}  // namespace array_interface::cuda_simulator::ptx
