#pragma once

#include <cstddef>
#include <vector>

#include "kernels/strided_copy.hpp"

namespace array_interface {

/// Cuts a copy of some elements into at most `most` copies of about the same size, each element in
/// one of them, so that threads share few cache lines: along the outermost axis whose pieces are
/// pages long on both sides, the longest one where there is none. Call validate() first.
std::vector<StridedCopy> pieces_of(const StridedCopy& copy, std::size_t most);

}  // namespace array_interface
