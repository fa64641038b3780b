#include "random.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

int rounds(int usual) {
  const char* factor = std::getenv("ARRAY_INTERFACE_RUNS");
  if (factor == nullptr || *factor == '\0') return usual;
  return std::max(1, static_cast<int>(std::lround(usual * std::atof(factor))));
}

std::mt19937 random_of(unsigned section) {
  const char* seed = std::getenv("FAST_CHECK_SEED");
  const unsigned start = seed == nullptr ? 0 : static_cast<unsigned>(std::atol(seed));
  return std::mt19937(start + section);
}
