#pragma once

#include <vector>

#include "lexer.hpp"
#include "operand.hpp"

namespace array_interface::cuda_simulator::ptx {

/// Reads the operands of an instruction up to its semicolon.
std::vector<Operand> read_operands(Lexer& lexer);

}  // namespace array_interface::cuda_simulator::ptx
