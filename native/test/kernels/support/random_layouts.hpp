#pragma once

#include <cstddef>
#include <random>

#include "layout.hpp"

/// Calls `check` for random layouts of up to `most_rank` axes, for permutations, and for
/// permutations with a conversion.
void for_random_layouts(std::mt19937& random, std::size_t most_rank, void (*check)(Layout&));
