#pragma once

#include <random>

/// Returns the number of random rounds: `usual`, times ARRAY_INTERFACE_RUNS.
int rounds(int usual);

/// Returns the random numbers of a section, seeded with FAST_CHECK_SEED if that is set.
std::mt19937 random_of(unsigned section);
