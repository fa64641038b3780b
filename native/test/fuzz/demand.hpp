#pragma once

#include <cstdio>
#include <cstdlib>

/// Ends the process, which the fuzzer takes for a find, unless the condition holds.
inline void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "expected %s\n", what);
  std::abort();
}
