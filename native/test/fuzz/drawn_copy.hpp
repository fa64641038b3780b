#pragma once

#include "numbers.hpp"
#include "test/kernels/support/layout.hpp"

/// A copy between two buffers that end with the last byte of the layouts, so that AddressSanitizer
/// sees whoever goes beyond: up to 64 axes and 20,000 elements, in any order, forwards or
/// backwards, with gaps, repeated or overlapping in the source, converted or not, at any address.
Layout drawn_copy(Numbers& numbers);
