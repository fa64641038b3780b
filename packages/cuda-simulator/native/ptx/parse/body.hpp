#pragma once

#include <vector>

#include "ptx/decode/linker.hpp"
#include "ptx/program/program.hpp"
#include "ptx/syntax/declaration.hpp"
#include "ptx/syntax/lexer.hpp"

namespace array_interface::cuda_simulator::ptx {

/// Reads the rest of a .file directive, which began with `token`.
void read_file(Lexer& lexer, Linker& linker, const Token& token);

/// Parses a function's body, including its braces, into `function`.
void read_body(Lexer& lexer, Linker& linker, Function& function,
               const std::vector<Declared>& results, const std::vector<Declared>& parameters);

}  // namespace array_interface::cuda_simulator::ptx
