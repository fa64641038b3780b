#pragma once

#include "instruction.hpp"

namespace array_interface::cuda_simulator::ptx {

/// A `ret` without a guard.
Instruction return_instruction();

}  // namespace array_interface::cuda_simulator::ptx
