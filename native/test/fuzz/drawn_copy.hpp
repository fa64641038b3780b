#pragma once

#include "numbers.hpp"
#include "test/kernels/support/layout.hpp"

/// A copy between two buffers that end with the last byte of the layouts, so that AddressSanitizer
/// detects accesses beyond. It has up to 64 axes and 20,000 elements, in any order, forwards or
/// backwards, with gaps. The source may repeat or overlap, elements may be converted, and addresses
/// are arbitrary.
Layout drawn_copy(Numbers& numbers);
