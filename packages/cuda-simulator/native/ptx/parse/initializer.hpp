#pragma once

#include <cstddef>
#include <vector>

#include "ptx/decode/linker.hpp"
#include "ptx/syntax/declaration.hpp"
#include "ptx/syntax/lexer.hpp"

namespace array_interface::cuda_simulator::ptx {

/// Parses what follows "name =": one value or a list. Addresses become relocations.
std::vector<std::byte> read_initializer(Lexer& lexer, const Declared& declared,
                                        const Linker& linker, std::vector<Relocation>& relocations);

}  // namespace array_interface::cuda_simulator::ptx
