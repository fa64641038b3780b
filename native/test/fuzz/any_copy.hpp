#pragma once

#include "numbers.hpp"

/// Checks what is asked of a copy before any byte of it is touched, for one of any numbers: it is
/// refused, or every launch and piece of it lies within it, and together they are the whole.
void check_any_copy(Numbers& numbers);
