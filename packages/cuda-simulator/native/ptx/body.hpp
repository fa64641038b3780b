#pragma once

#include <vector>

#include "declaration.hpp"
#include "lexer.hpp"
#include "linker.hpp"
#include "program.hpp"

namespace array_interface::cuda_simulator::ptx {

/// Reads a function's body, with its braces, into `function`.
void read_body(Lexer& lexer, Linker& linker, Function& function,
               const std::vector<Declared>& results, const std::vector<Declared>& parameters);

}  // namespace array_interface::cuda_simulator::ptx
