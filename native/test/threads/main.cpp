#include <cstdio>

#include "check.hpp"
#include "crash.hpp"
#include "sections.hpp"

int main() {
  hear_of_crashes();
  check_gate();
  check_poller();
  std::printf("%ld checks, 0 failed\n", checks);
}
