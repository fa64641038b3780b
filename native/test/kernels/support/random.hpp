#pragma once

#include <random>

/// How many random rounds where an ordinary run has `usual`: times ARRAY_INTERFACE_RUNS.
int rounds(int usual);

/// Random numbers of a section, from FAST_CHECK_SEED where that is set.
std::mt19937 random_of(unsigned section);
