#pragma once

#include <cstdio>
#include <cstdlib>

/// Aborts the process, which the fuzzer reports as a finding, unless the condition holds.
inline void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "expected %s\n", what);
  std::abort();
}
