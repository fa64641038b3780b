#pragma once

#include <cstddef>
#include <vector>

#include "kernels/layout/strided_copy.hpp"

namespace array_interface {

/// Cuts a copy of at least one element into at most `most` copies of about the same size. Cuts the
/// outermost axis whose pieces span pages on both sides, otherwise the longest axis, so that
/// threads share few cache lines. Call validate() first.
std::vector<StridedCopy> pieces_of(const StridedCopy& copy, std::size_t most);

}  // namespace array_interface
