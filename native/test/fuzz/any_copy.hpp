#pragma once

#include "numbers.hpp"

/// Checks what the layout code computes before it touches any byte, for a copy of arbitrary
/// numbers. Either the copy is refused, or every launch and piece is within it, and together they
/// cover it.
void check_any_copy(Numbers& numbers);
