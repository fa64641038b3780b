#include <cstdio>

#include "sections.hpp"
#include "test/support/check.hpp"
#include "test/support/crash.hpp"

int main() {
  hear_of_crashes();
  check_gate();
  check_poller();
  check_ticket_table();
  std::printf("%ld checks, 0 failed\n", checks);
}
