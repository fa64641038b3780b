#pragma once

#include <cstddef>
#include <vector>

#include "kernels/layout/strided_copy.hpp"

namespace array_interface {

/// Cuts a copy of at least one element into at most `most` copies of about the same size. It cuts
/// along the outermost axis whose pieces are pages long on both sides, or else along the longest,
/// so that threads share few cache lines. Call validate() first.
std::vector<StridedCopy> pieces_of(const StridedCopy& copy, std::size_t most);

}  // namespace array_interface
